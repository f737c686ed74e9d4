// label: slow
// needs: onnx-tests
#include "core/session/official_tests.h"
#include "core/session/wrong_inputs.h"
#include "support/test_class.h"

#include <filesystem>

using namespace fusescope::test;

// The tests of the ONNX release that the distribution packages.
class PackagedConformanceTest : public QObject
{
    Q_OBJECT

private:
    static std::string root() { return FUSESCOPE_ONNX_TESTS; }

    // The first release with opset 18 is 1.13, which brought the bitwise operators.
    static std::string release()
    {
        return std::filesystem::exists(root() + "/node/test_bitwise_and_i16_3d") ? "newer" : "1.12";
    }

private Q_SLOTS:
    void kernels()
    {
        int passed = 0;
        const auto listed = readNotPossible(FUSESCOPE_TEST_DATA "/conformance_not_possible.txt");
        const std::string faults = conformanceFaults(root(), release(), listed, passed);
        std::fputs(faults.c_str(), stderr);
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(passed >= 1060, std::to_string(passed).c_str());
    }

    void wrongInputs()
    {
        int refused = 0;
        const std::string faults = wrongInputFaults(root(), refused);
        std::fputs(faults.c_str(), stderr);
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(refused >= 400, std::to_string(refused).c_str());
    }

    void inference_data()
    {
        QTest::addColumn<int>("knowledge");
        QTest::newRow("declared") << static_cast<int>(Knowledge::declared);
        QTest::newRow("contents") << static_cast<int>(Knowledge::contents);
        QTest::newRow("symbols") << static_cast<int>(Knowledge::symbols);
        QTest::newRow("equalities") << static_cast<int>(Knowledge::equalities);
    }
    void inference()
    {
        QFETCH(int, knowledge);
        int values = 0;
        const std::string faults =
            inferenceFaults(root(), static_cast<Knowledge>(knowledge), values);
        std::fputs(faults.c_str(), stderr);
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(values >= 1500, std::to_string(values).c_str());
    }
};

FUSESCOPE_TEST(PackagedConformanceTest, packaged_conformance_test)
#include "packaged_conformance_test.moc"
