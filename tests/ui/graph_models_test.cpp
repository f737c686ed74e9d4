// label: slow
// needs: models
#include "graph_fixture.h"
#include "session/session.h"
#include "ui/graph/graph_canvas.h"
#include "ui/theme/theme.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>

#include <ctime>
#include <fmt/format.h>
#include <QImage>

using namespace fusescope;

namespace {

QString fileOf(const char* name)
{
    QDirIterator it(QStringLiteral(FUSESCOPE_MODELS), {QStringLiteral("*.onnx")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        const QString path = it.next();
        if (path.contains(QLatin1Char('/') + QString::fromLatin1(name) + QLatin1Char('/')))
            return path;
    }
    return {};
}

} // namespace

// Real models: their drawings hold together, and steps are quick. With FUSESCOPE_PICTURES naming a
// folder, what a person sees is saved there, two pixels to one.
class GraphModelsTest : public QObject
{
    Q_OBJECT

private:
    void save(GraphCanvas& view, const QString& name)
    {
        const QByteArray folder = qgetenv("FUSESCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(160); // the cross-fade
        QPixmap picture(view.size() * 2);
        picture.setDevicePixelRatio(2);
        view.render(&picture);
        QVERIFY(picture.save(QDir(QString::fromLocal8Bit(folder)).filePath(name)));
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void cleanupTestCase() { theme().setChoice(ThemeChoice::light); }

    void models_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"resnet18_ts17_preserve", "yolox_nano", "bert_like_12x64",
                                 "deep_residual_12001", "silero_vad"})
            QTest::newRow(name) << fileOf(name);
    }

    void models()
    {
        QFETCH(QString, file);
        const QString path = file;
        QVERIFY2(!path.isEmpty(), QTest::currentDataTag());
        SessionOptions how;
        how.runInBackground = false;
        const auto session = Session::open(path.toStdString(), how);
        QVERIFY(session.has_value());
        const auto finished = (*session)->finish();
        QVERIFY(finished.has_value());
        const TimelinePtr timeline = *finished;
        const int last = timeline->size();
        QElapsedTimer timer;
        timer.start();
        const std::clock_t cpu = std::clock();
        DrawingOptions options;
        options.layout.rankGap = 32;
        for (const Lifespan& life : timeline->unionGraph.lifespans()) {
            const Node* node = timeline->unionGraph.lastRecord(life.node);
            if (node && !node->bodies.empty() && !node->region && life.node.value < 60)
                options.opened.insert(fmt::format("node:{}", life.node.value));
        }
        const auto drawing = makeDrawing(*timeline, options, cardMeasure(CardFonts::current()));
        QVERIFY(drawing.has_value());
        const qint64 drawingMs = timer.restart();
        const double cpuMs = 1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
        const auto index = std::make_shared<const SceneIndex>(*drawing);
        const qint64 indexMs = timer.restart();
        SceneRequest request;
        request.drawing = *drawing;
        request.a = std::make_shared<const Graph>(timeline->at(0));
        request.b = std::make_shared<const Graph>(timeline->at(last));
        request.stepB = last;
        request.mode = SceneMode::overlay;
        request.blocked = blockedOf(timeline);
        timer.restart();
        const auto scene = std::make_shared<const GraphScene>(makeScene(request));
        const double sceneMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        qInfo("%s: %d steps, %zu items, %zu wires, drawing %lld ms (%.0f of the processor, layout %.0f), index %lld ms, "
              "scene %.1f ms, %.0f x %.0f %s",
              QTest::currentDataTag(), last, (*drawing)->items.size(), (*drawing)->wires.size(),
              drawingMs, cpuMs, (*drawing)->milliseconds, indexMs, sceneMs, (*drawing)->width,
              (*drawing)->height, layoutEngineName((*drawing)->engine).data());
        // Every node that stands at either end is drawn, or is a constant on its reader's card.
        for (const Graph* graph : {request.a.get(), request.b.get()}) {
            for (const NodeId id : *graph->nodes(graph->mainBody())) {
                if (!constantOf(*graph->node(id)))
                    QVERIFY2((*drawing)->item(id) >= 0, qPrintable(QString::number(id.value)));
            }
        }
        for (std::size_t i = 0; i < (*drawing)->items.size(); ++i) {
            const DrawItem& item = (*drawing)->items[i];
            QVERIFY(item.rect.x >= -0.5 && item.rect.right() <= (*drawing)->width + 0.5);
            if (item.parent >= 0)
                QVERIFY(item.parent < static_cast<int>(i));
        }
        GraphCanvas view;
        view.resize(1086, 700);
        view.show();
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        for (const ThemeChoice choice : {ThemeChoice::light, ThemeChoice::dark}) {
            theme().setChoice(choice);
            const QString tail = choice == ThemeChoice::light ? QStringLiteral("-light.png")
                                                              : QStringLiteral("-dark.png");
            request.mode = SceneMode::overlay;
            view.setScene(std::make_shared<const GraphScene>(makeScene(request)), index);
            view.showStart();
            save(view, name + QStringLiteral("-overlay") + tail);
            view.fit();
            save(view, name + QStringLiteral("-fit") + tail);
            if (choice == ThemeChoice::dark)
                continue;
            view.setPlace(0.5, {(*drawing)->width / 2 - 1086, (*drawing)->height / 3});
            save(view, name + QStringLiteral("-half") + tail);
            view.setPlace(0.25, {(*drawing)->width / 2 - 2172, (*drawing)->height / 3});
            save(view, name + QStringLiteral("-small") + tail);
            request.mode = SceneMode::before;
            view.setScene(std::make_shared<const GraphScene>(makeScene(request)), index);
            view.showStart();
            save(view, name + QStringLiteral("-before") + tail);
            request.mode = SceneMode::after;
            view.setScene(std::make_shared<const GraphScene>(makeScene(request)), index);
            view.showStart();
            save(view, name + QStringLiteral("-after") + tail);
        }
    }
};

FUSESCOPE_TEST(GraphModelsTest, graph_models_test)
#include "graph_models_test.moc"
