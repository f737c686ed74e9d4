#include "session/gains.h"
#include "session/report.h"
#include "support/model_bytes.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// What articles promise, beside what a model gained: the numbers and the places where they are shown.
class GainsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbers()
    {
        ModelFigures before, after;
        before.bytes = 1000;
        after.bytes = 700;
        before.activationBytes = 400;
        after.activationBytes = 380;
        const auto gains = gainsOf(before, after, std::pair(3.0, 2.0));
        QCOMPARE(gains.size(), std::size_t{3});
        QCOMPARE(*gains[0].measured, -30.0);
        QVERIFY(gains[0].isReached());
        QCOMPARE(*gains[1].measured, -5.0);
        QVERIFY(!gains[1].isReached());
        QCOMPARE(*gains[2].measured, 50.0);
        QVERIFY(gains[2].isReached());
        QVERIFY(!gainsOf(before, after)[2].measured);
        QVERIFY(!gainsOf({}, after)[0].measured);
    }

    void inEveryFormat()
    {
        const auto session = Session::openBytes(modelBytes(R"(
            g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })"),
                                                "gains");
        QVERIFY(session);
        const auto timeline = (*session)->finish();
        const auto proof = (*session)->prove(**timeline, (*timeline)->size(), 1);
        const auto gathered = gatherReport(**session, **timeline, *proof);
        QVERIFY(gathered);
        const ReportData& data = *gathered;
        // 28 floats become 16: −42.9 %; two values of 1024 bytes become one: −50 %.
        const std::string markdown = reportText(data, ReportFormat::markdown);
        for (const char* words : {"Expected and measured", "-20 … -50 %", "-42.9 %", "-15 … -40 %",
                                  "-50.0 %", "+10 … +30 %", "not measured",
                                  "nodes 1, parameters 12, bytes written 1024, FLOPs 256"})
            QVERIFY2(markdown.find(words) != std::string::npos, words);
        const std::string html = reportText(data, ReportFormat::html);
        QVERIFY(html.find("-42.9 %") != std::string::npos);
        const std::string json = reportText(data, ReportFormat::json);
        for (const char* words : {"\"gains\"", "\"expected_from\": -20", "\"saves\"",
                                  "\"activation_bytes\": 1024"})
            QVERIFY2(json.find(words) != std::string::npos, words);
    }
};

FUSESCOPE_TEST(GainsTest, gains_test)
#include "gains_test.moc"
