#pragma once

#include <memory>

class QWidget;

// Every widget of ui/widgets with contents, on one sheet.
std::unique_ptr<QWidget> makeGallery();
