#pragma once

#include <QtTest>

// Makes the class known to the test program of its folder; NAME is the file's stem.
#define FUSESCOPE_TEST(Class, NAME)                                                                \
    QObject* make_##NAME();                                                                        \
    QObject* make_##NAME()                                                                         \
    {                                                                                              \
        return new Class;                                                                          \
    }
