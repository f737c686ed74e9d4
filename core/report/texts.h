#pragma once

#include "base/message.h"

#include <span>

// Marks a text of the table for translation: a context of Qt's translation files and the English.
#define CORE_TEXT(context, text) context, text

namespace fusescope {

// One sentence of core. `{name}` stands for an argument; where a row has `other`, the argument
// `count` chooses between the two.
struct TextRow
{
    std::string_view key;
    const char* context;
    const char* one;
    const char* otherContext = nullptr;
    const char* other = nullptr;
};

// Null when no row has this key (a defect: tests look for it).
const TextRow* findText(std::string_view key);
std::span<const std::span<const TextRow>> textTables();

} // namespace fusescope
