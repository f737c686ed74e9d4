#pragma once

#include "core/ops/op_case.h"
#include "support/test_class.h"

// A table of kernels that are run: one row a case, written as text.
namespace fusescope::test {

inline void beginCases()
{
    QTest::addColumn<QString>("values");
    QTest::addColumn<QString>("node");
    QTest::addColumn<int>("opset");
    QTest::addColumn<QString>("expected");
}

inline void addCase(const char* name, const char* values, const char* node, const char* expected,
                    int opset = 28)
{
    QTest::newRow(name) << QString(values) << QString(node) << opset << QString(expected);
}

inline void runCase()
{
    QFETCH(QString, values);
    QFETCH(QString, node);
    QFETCH(int, opset);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(run(values.toStdString(), node.toStdString(), opset)),
             expected);
}

inline void compareInferred(const std::string& actual, const char* expected)
{
    QCOMPARE(QString::fromStdString(actual), QString(expected));
}

} // namespace fusescope::test
