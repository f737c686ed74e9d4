#include "io/data_files.h"
#include "io/wire.h"
#include "report/render.h"
#include "support/test_class.h"

#include <QTemporaryDir>

#include <zlib.h>

using namespace fusescope;

namespace {

std::string header(const std::string& descr, bool fortran, const std::string& shape)
{
    std::string text = "{'descr': '" + descr + "', 'fortran_order': " +
                       (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    text.append(63 - (10 + text.size()) % 64, ' ');
    text += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(text.size() & 0xFF);
    bytes += static_cast<char>(text.size() >> 8);
    return bytes + text;
}

template <class T>
std::string bytesOfValues(std::initializer_list<T> values)
{
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

std::string errorOf(const Error& error)
{
    return render(error.message, nullptr);
}

} // namespace

class DataFilesTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const QString& name, const std::string& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        return file.fileName().toStdString();
    }

    Tensor readBack(const Tensor& tensor)
    {
        const std::string path = m_folder.filePath("t.npy").toStdString();
        const auto written = writeNpy(path, tensor);
        const auto read = readDataFile(path);
        return written && read ? *read->tensor : Tensor();
    }

private Q_SLOTS:
    // A MapProto keeps its values as one sequence.
    void maps()
    {
        const auto number = [](float value) {
            WireMessage tensor;
            tensor.varint(2, 1);
            tensor.bytes(9, std::string(reinterpret_cast<const char*>(&value), sizeof value));
            return tensor;
        };
        WireMessage values, map;
        values.varint(2, 1);
        values.message(3, number(1.5F));
        values.message(3, number(2.5F));
        map.bytes(1, "m");
        map.varint(2, 7);
        map.varint(3, 0);
        map.varint(3, 3);
        map.message(5, values);
        const auto read = readDataFile(write("map.pb", map.text()),
                                       Type::map(DType::int64, Type::tensor(DType::float32)));
        QVERIFY(read);
        QCOMPARE(read->tensor->asInts(), (std::vector<std::int64_t>{0, 3}));
        QCOMPARE(int(read->elements.size()), 2);
        QCOMPARE(read->elements[1].tensor->asDouble(0), 2.5);
        // What an optional holds, alone in a file; and an optional that holds nothing.
        const Type optional = Type::optional(Type::tensor(DType::float32));
        const auto held = readDataFile(write("held.pb", number(4).text()), optional);
        QVERIFY(held && held->kind == FileValue::Kind::optional);
        QCOMPARE(held->elements.at(0).tensor->asDouble(0), 4.0);
        WireMessage nothing;
        nothing.varint(2, 1);
        const auto empty = readDataFile(write("empty.pb", nothing.text()), optional);
        QVERIFY(empty && empty->elements.empty());
    }

    void npyOfEveryType()
    {
        for (const DType type :
             {DType::float32, DType::float64, DType::float16, DType::int8, DType::int16,
              DType::int32, DType::int64, DType::uint8, DType::uint16, DType::uint32, DType::uint64,
              DType::boolean, DType::complex64, DType::complex128}) {
            Tensor tensor = Tensor::allocate(type, {2, 3});
            for (int i = 0; i < 6; ++i)
                tensor.store(i, type == DType::boolean ? i % 2 : i + 1);
            QVERIFY2(readBack(tensor).bitwiseEquals(tensor), std::string(nameOf(type)).c_str());
        }
        for (const DType type : {DType::bfloat16, DType::float8e4m3fn, DType::int4, DType::uint2,
                                 DType::float4e2m1}) {
            Tensor tensor = Tensor::allocate(type, {3});
            for (int i = 0; i < 3; ++i)
                tensor.store(i, i);
            const Tensor back = readBack(tensor);
            QCOMPARE(back.elementCount(), std::int64_t{3});
            for (int i = 0; i < 3; ++i)
                QCOMPARE(back.asDouble(i), static_cast<double>(i));
        }
        QVERIFY(readBack(Tensor::scalar(1.5F)).bitwiseEquals(Tensor::scalar(1.5F)));
        const Tensor one = Tensor::vector({7});
        QVERIFY(readBack(one).bitwiseEquals(one));
        const Tensor empty = Tensor::allocate(DType::float32, {0, 4});
        QVERIFY(readBack(empty).bitwiseEquals(empty));
        const float filled = 2;
        QCOMPARE(readBack(Tensor::splat(DType::float32, {4}, &filled)).asDouble(3), 2.0);
    }

    void npyOfStrings()
    {
        const Tensor text = Tensor::strings({3}, {"a", "", "\xE4\xB8\xAD\xE6\x96\x87\xF0\x9F\x98\x80"});
        QVERIFY(readBack(text).bitwiseEquals(text));
        const Tensor bytes = Tensor::strings({2}, {"\xFF\xFE", "x"});
        QVERIFY(readBack(bytes).bitwiseEquals(bytes));
    }

    void npyInColumnOrderAndBigEndian()
    {
        const auto fortran = readDataFile(
            write("f.npy", header("<i4", true, "(2, 3)") + bytesOfValues<int>({1, 4, 2, 5, 3, 6})));
        QVERIFY(fortran.has_value());
        const std::vector<std::int64_t> expected = {1, 2, 3, 4, 5, 6};
        QCOMPARE(fortran->tensor->asInts(), expected);
        const auto big = readDataFile(write(
            "b.npy", header(">i2", false, "(2,)") + std::string("\x01\x02\xFF\xFE", 4)));
        QVERIFY(big.has_value());
        QCOMPARE(big->tensor->asInt(0), std::int64_t{0x102});
        QCOMPARE(big->tensor->asInt(1), std::int64_t{-2});
        const auto opaque = readDataFile(write("v.npy", header("<V2", false, "(1,)") +
                                                            std::string("\x80\x3F", 2)),
                                         Type::tensor(DType::bfloat16));
        QVERIFY(opaque.has_value());
        QCOMPARE(opaque->tensor->asDouble(0), 1.0);
    }

    void damagedNpyFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size()));
        };
        row("empty", "");
        row("text", "not an array");
        row("magic alone", "\x93NUMPY");
        row("long header", std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12));
        row("short data", header("<f4", false, "(4,)") + "1234");
        row("huge", header("<f8", false, "(9223372036854775807, 9223372036854775807)"));
        row("huge but empty", header("<f8", true, "(0, 9223372036854775807)") + "x");
        row("negative", header("<f4", false, "(-1,)"));
        row("objects", header("|O", false, "(1,)") + "12345678");
        row("strings without length", header("<U0", false, "(1000000000000,)"));
        row("huge strings", header("<U99999999999", false, "(1,)"));
        row("no shape", std::string("\x93NUMPY\x01\x00\x10\x00{'descr': '<f4' ", 26));
    }

    void damagedNpyFiles()
    {
        QFETCH(QByteArray, bytes);
        const std::string path = write("bad.npy", bytes.toStdString());
        const auto read = readDataFile(path);
        if (read) {
            QCOMPARE(read->tensor->elementCount(), std::int64_t{0});
            return;
        }
        QVERIFY(errorOf(read.error()).find("bad.npy") != std::string::npos);
        QVERIFY(read.error().code == ErrorCode::unreadable);
    }

    void npzStoredAndDeflated()
    {
        const std::string path = m_folder.filePath("a.npz").toStdString();
        const auto x = std::make_shared<const Tensor>(Tensor::vector({1, 2, 3}));
        const auto y = std::make_shared<const Tensor>(Tensor::scalar(0.5F));
        QVERIFY(writeNpz(path, {{"x", x}, {"y/z \xE4\xB8\xAD", y}}).has_value());
        const auto read = readNpz(path);
        QVERIFY2(read.has_value(), read ? "" : errorOf(read.error()).c_str());
        QCOMPARE(read->size(), std::size_t{2});
        QCOMPARE((*read)[0].name, std::string("x"));
        QCOMPARE((*read)[1].name, std::string("y/z \xE4\xB8\xAD"));
        QVERIFY((*read)[0].tensor->bitwiseEquals(*x));
        QVERIFY((*read)[1].tensor->bitwiseEquals(*y));

        const auto deflated = readNpz(write("d.npz", deflatedArchive(0)));
        QVERIFY2(deflated.has_value(), deflated ? "" : errorOf(deflated.error()).c_str());
        QCOMPARE((*deflated)[0].tensor->elementCount(), std::int64_t{1000});
        QCOMPARE((*deflated)[0].tensor->asInt(999), std::int64_t{7});
    }

    void damagedNpzFiles()
    {
        const std::string good = deflatedArchive(0);
        QVERIFY(!readNpz(write("l.npz", deflatedArchive(1)))); // wrong CRC
        QVERIFY(!readNpz(write("l.npz", deflatedArchive(2)))); // says 3 GB
        // Forty entries of the directory name one piece of the file.
        const std::string one = deflatedArchive(0);
        const std::size_t first = one.find("PK\x01\x02"), end = one.find("PK\x05\x06");
        QVERIFY(first != std::string::npos && end != std::string::npos && first < end);
        const std::string entry = one.substr(first, end - first);
        std::string many = one.substr(0, first), tail = one.substr(end);
        for (int i = 0; i < 40; ++i)
            many += entry;
        tail[8] = tail[10] = 40;
        const auto length = static_cast<std::uint32_t>(40 * entry.size());
        std::memcpy(tail.data() + 12, &length, sizeof length);
        const auto shared = readNpz(write("s.npz", many + tail));
        QVERIFY(!shared);
        QCOMPARE(std::string(shared.error().message.text.key), std::string("io.data-truncated"));
        for (std::size_t size = 0; size < good.size(); size += 7)
            QVERIFY(!readNpz(write("t.npz", good.substr(0, size))));
        std::srand(5);
        for (int i = 0; i < 500; ++i) {
            std::string bytes = good;
            bytes[static_cast<std::size_t>(std::rand()) % bytes.size()] =
                static_cast<char>(std::rand());
            const auto read = readNpz(write("m.npz", bytes));
            QVERIFY(read || !errorOf(read.error()).empty());
        }
    }

    void protoByExpectedType()
    {
        const std::string path = m_folder.filePath("x.pb").toStdString();
        const Tensor tensor = Tensor::of<float>({2}, std::vector<float>{1, 2});
        QVERIFY(writeTensorProto(path, "x", tensor).has_value());
        const auto read = readDataFile(path);
        QVERIFY(read.has_value());
        QCOMPARE(read->name, std::string("x"));
        QVERIFY(read->tensor->bitwiseEquals(tensor));

        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string one = file.readAll().toStdString();
        const auto element = [&one](char field) {
            return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(one.size())} + one;
        };
        const auto list = readDataFile(write("s.pb", std::string("\x0A\x01n\x10\x01") + element(3) +
                                                         element(3)),
                                       Type::sequence(Type::tensor(DType::float32)));
        QVERIFY(list.has_value());
        QVERIFY(list->kind == FileValue::Kind::sequence);
        QCOMPARE(list->name, std::string("n"));
        QCOMPARE(list->elements.size(), std::size_t{2});
        QVERIFY(list->elements[1].tensor->bitwiseEquals(tensor));
        const auto none = readDataFile(write("o.pb", "\x0A\x01n"),
                                       Type::optional(Type::tensor(DType::float32)));
        QVERIFY(none.has_value());
        QVERIFY(none->elements.empty());
        const auto map = readDataFile(
            write("m.pb", std::string("\x10\x07\x18\x05\x18\x09\x2A", 7) +
                              static_cast<char>(2 * element(3).size() + 2) + "\x10\x01" + element(3) +
                              element(3)),
            Type::map(DType::int64, Type::tensor(DType::float32)));
        QVERIFY(map.has_value());
        QCOMPARE(map->tensor->asInt(1), std::int64_t{9});
        QCOMPARE(map->elements.size(), std::size_t{2}); // the values are one sequence
        QVERIFY(map->elements[1].tensor->bitwiseEquals(tensor));
        QVERIFY(!readDataFile(write("t.pb", one.substr(0, one.size() - 1))));
        QVERIFY(!readDataFile("/nowhere/at all.pb"));
        QVERIFY(!readDataFile(m_folder.path().toStdString()));
    }

    void dataSetsInOrder()
    {
        QDir dir(m_folder.path());
        for (const char* name : {"test_data_set_10", "test_data_set_2", "test_data_set_x", "other"})
            QVERIFY(dir.mkdir(name));
        const auto sets = testDataSets(m_folder.filePath("model.onnx").toStdString());
        QCOMPARE(sets.size(), std::size_t{2});
        QVERIFY(sets[0].ends_with("test_data_set_2"));
        QVERIFY(testDataSets("/nowhere/model.onnx").empty());
    }

private:
    // One deflated entry of 1000 sevens; flaw 1: a wrong CRC, 2: a size of 3 GB.
    static std::string deflatedArchive(int flaw)
    {
        std::string array = header("<i8", false, "(1000,)");
        for (int i = 0; i < 1000; ++i)
            array += bytesOfValues<std::int64_t>({7});
        std::string packed(array.size(), '\0');
        z_stream stream{};
        deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
        stream.next_in = reinterpret_cast<Bytef*>(array.data());
        stream.avail_in = static_cast<uInt>(array.size());
        stream.next_out = reinterpret_cast<Bytef*>(packed.data());
        stream.avail_out = static_cast<uInt>(packed.size());
        deflate(&stream, Z_FINISH);
        packed.resize(stream.total_out);
        deflateEnd(&stream);
        auto crc = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(array.data()), static_cast<uInt>(array.size())));
        crc += flaw == 1 ? 1 : 0;
        const auto size = flaw == 2 ? 3000000000U : static_cast<std::uint32_t>(array.size());
        const auto packedSize = static_cast<std::uint32_t>(packed.size());
        const std::string common = bytesOfValues<std::uint16_t>({20, 0, 8, 0, 0}) +
                                   bytesOfValues<std::uint32_t>({crc, packedSize, size}) +
                                   bytesOfValues<std::uint16_t>({5, 0});
        std::string archive = "PK\x03\x04" + common + "a.npy" + packed;
        const auto start = static_cast<std::uint32_t>(archive.size());
        const std::string directory = "PK\x01\x02" + bytesOfValues<std::uint16_t>({20}) + common +
                                      std::string(14, '\0') + "a.npy";
        archive += directory + "PK\x05\x06" + bytesOfValues<std::uint16_t>({0, 0, 1, 1}) +
                   bytesOfValues<std::uint32_t>({static_cast<std::uint32_t>(directory.size()), start}) +
                   bytesOfValues<std::uint16_t>({0});
        return archive;
    }
};

FUSESCOPE_TEST(DataFilesTest, data_files_test)
#include "data_files_test.moc"
