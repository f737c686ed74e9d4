#pragma once

#include <QString>

namespace fusescope {

// What a painted slider or chart tells a screen reader, and takes from it: a number in a range and
// its words. A widget derives from it and calls installValueAccessibility().
class AccessibleValue
{
public:
    virtual ~AccessibleValue() = default;
    virtual double spokenValue() const = 0;
    virtual double spokenLeast() const { return 0; }
    virtual double spokenMost() const = 0;
    virtual QString spokenWords() const = 0;
    virtual void takeSpokenValue(double value) = 0; // as if a person had moved it there
};

// Once per program, however often it is called.
void installValueAccessibility();

} // namespace fusescope
