#include "model/attribute.h"
#include "support/test_class.h"

#include <limits>

using namespace fusescope;

class AttributeTest : public QObject
{
    Q_OBJECT

    static TensorPtr tensor(std::vector<float> values)
    {
        const auto count = static_cast<std::int64_t>(values.size());
        return std::make_shared<const Tensor>(Tensor::of<float>({count}, values));
    }

private Q_SLOTS:
    void gettersGiveTheFallbackForAnotherType()
    {
        const Attributes a{Attribute("i", std::int64_t{3}), Attribute("f", 2.5F),
                           Attribute("s", std::string("text")),
                           Attribute("is", std::vector<std::int64_t>{1, 2})};
        QCOMPARE(a.getInt("i", 0), std::int64_t{3});
        QCOMPARE(a.getInt("f", 7), std::int64_t{7});
        QCOMPARE(a.getInt("none", 7), std::int64_t{7});
        QCOMPARE(a.getFloat("f", 0), 2.5F);
        QCOMPARE(a.getString("s", ""), std::string("text"));
        QCOMPARE(a.getString("i", "fallback"), std::string("fallback"));
        QCOMPARE(a.getInts("is")->size(), std::size_t{2});
        QVERIFY(!a.getInts("i"));
        QVERIFY(!a.getTensor("i"));
        QVERIFY(!a.getBody("i"));
    }

    void setKeepsThePlace()
    {
        Attributes a{Attribute("x", std::int64_t{1}), Attribute("y", std::int64_t{2})};
        a.set(Attribute("x", 5.0F));
        QCOMPARE(a.size(), std::size_t{2});
        QCOMPARE(a.begin()->name, std::string("x"));
        QCOMPARE(a.getFloat("x", 0), 5.0F);
        a.set(Attribute("z", std::int64_t{3}));
        QCOMPARE((a.begin() + 2)->name, std::string("z"));
        a.remove("y");
        QVERIFY(!a.has("y"));
        QCOMPARE(a.size(), std::size_t{2});
    }

    void equalByBits()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(Attribute("f", nan) == Attribute("f", nan));
        QVERIFY(!(Attribute("f", 0.0F) == Attribute("f", -0.0F)));
        QVERIFY(Attribute("t", tensor({1, nan})) == Attribute("t", tensor({1, nan})));
        QVERIFY(!(Attribute("t", tensor({0.0F})) == Attribute("t", tensor({-0.0F}))));
        QVERIFY(!(Attribute("t", std::int64_t{1}) == Attribute("t", 1.0F)));
        QVERIFY(!(Attribute("t", std::int64_t{1}) == Attribute("u", std::int64_t{1})));
        const float one = 1;
        const auto splat =
            std::make_shared<const Tensor>(Tensor::splat(DType::float32, {2}, &one));
        QVERIFY(Attribute("t", splat) == Attribute("t", tensor({1, 1})));
    }

    void constructorsSetTheType()
    {
        QVERIFY(Attribute("a", std::int64_t{1}).type == AttributeType::integer);
        QVERIFY(Attribute("a", 1.0F).type == AttributeType::floating);
        QVERIFY(Attribute("a", std::string()).type == AttributeType::string);
        QVERIFY(Attribute("a", tensor({1})).type == AttributeType::tensor);
        QVERIFY(Attribute("a", BodyId{1}).type == AttributeType::graph);
        QVERIFY(Attribute("a", std::vector<std::string>{}).type == AttributeType::strings);
        QCOMPARE(attributeTypeName(AttributeType::integers), std::string_view("INTS"));
    }
};

FUSESCOPE_TEST(AttributeTest, attribute_test)
#include "attribute_test.moc"
