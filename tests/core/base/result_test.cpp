#include "base/result.h"
#include "support/test_class.h"

using namespace fusescope;

class ResultTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tryReturnsTheError()
    {
        const auto inner = []() -> Result<int> {
            return fail(ErrorCode::unreadable, Message("base.cancelled"), NodeId{7}, "a.onnx");
        };
        const auto outer = [&]() -> Result<int> {
            FUSESCOPE_ASSIGN(const int value, inner());
            return value + 1;
        };
        const Result<int> result = outer();
        QVERIFY(!result);
        QCOMPARE(result.error().node, NodeId{7});
        QCOMPARE(result.error().file, std::string("a.onnx"));
    }

    void assignGivesTheValue()
    {
        const auto outer = []() -> Result<int> {
            FUSESCOPE_ASSIGN(const int value, Result<int>(41));
            return value + 1;
        };
        QCOMPARE(*outer(), 42);
    }
};

FUSESCOPE_TEST(ResultTest, result_test)
#include "result_test.moc"
