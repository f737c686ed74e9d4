#include <QPicture>
#include <QHeaderView>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>

#include "odd_names.h"
#include "support/test_class.h"
#include "ui/theme/row_delegate.h"

using namespace fusescope;

class RowDelegateTest : public QObject
{
    Q_OBJECT

private:
    static QStyleOptionViewItem optionFor(const QRect& rect)
    {
        QStyleOptionViewItem option;
        option.rect = rect;
        option.state = QStyle::State_Enabled;
        return option;
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void partsStandInOrderAndDoNotOverlap()
    {
        QTreeView view;
        RowDelegate delegate(Row::tree, &view);
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        model.setData(index, QStringLiteral("layer2.0/conv2"));
        model.setData(index, QStringLiteral("28"), NumberRole);
        model.setData(index, QVariant::fromValue(Mark::current), MarkRole);
        model.setData(index, QVariant::fromValue(Category::conv), CategoryRole);
        model.setData(index, QStringLiteral("second"), SecondTextRole);
        model.setData(index, QStringLiteral("3 / 7"), CountRole);
        model.setData(index, QVariant::fromValue(QList<Pill>{{QStringLiteral("B")}}), PillsRole);
        for (const int width : {400, 230}) {
            const auto at = delegate.places(optionFor(QRect(0, 0, width, 22)), index);
            const QRectF order[] = {at.number, at.mark, at.icon, at.text,
                                    at.second, at.count, at.pills};
            for (std::size_t i = 0; i + 1 < std::size(order); ++i)
                QVERIFY2(order[i].right() <= order[i + 1].left() + 0.01,
                         qPrintable(QStringLiteral("%1 at %2").arg(i).arg(width)));
            QVERIFY(at.pills.right() <= width);
            QCOMPARE(at.cut, width == 230);
        }
    }

    void rowsHaveTheirHeights()
    {
        QTreeView view;
        const int least = QFontMetrics(theme().font()).height() + 6;
        QStandardItemModel model(1, 1);
        RowDelegate tree(Row::tree, &view);
        QCOMPARE(tree.sizeHint({}, model.index(0, 0)).height(), std::max(22, least));
        RowDelegate table(Row::table, &view);
        QCOMPARE(table.sizeHint({}, model.index(0, 0)).height(), std::max(24, least));
    }

    void linksAndButtonsAnswerClicks()
    {
        QTableView view;
        QStandardItemModel model(1, 2);
        model.setData(model.index(0, 0), QStringLiteral("conv2"));
        model.setData(model.index(0, 0), true, LinkRole);
        model.setData(model.index(0, 1), QStringLiteral("Set to 0"), ButtonRole);
        view.setModel(&model);
        auto* delegate = new RowDelegate(Row::table, &view);
        view.setItemDelegate(delegate);
        view.setColumnWidth(0, 200);
        view.setColumnWidth(1, 200);
        view.resize(500, 120);
        view.show();
        QSignalSpy links(delegate, &RowDelegate::linkActivated);
        QSignalSpy buttons(delegate, &RowDelegate::buttonActivated);
        const QRect first = view.visualRect(model.index(0, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, first.topLeft() + QPoint(14, 12));
        QCOMPARE(links.count(), 1);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, first.topRight() + QPoint(-5, 12));
        QCOMPARE(links.count(), 1); // beside the words
        const QRect second = view.visualRect(model.index(0, 1));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, second.topLeft() + QPoint(20, 12));
        QCOMPARE(buttons.count(), 1);
    }

    void currentAndRangeFillTheGutter()
    {
        theme().setChoice(ThemeChoice::light);
        QTreeView view;
        QStandardItemModel model(3, 1);
        for (int row = 0; row < 3; ++row)
            model.setData(model.index(row, 0), QStringLiteral("step"));
        model.setData(model.index(0, 0), true, RangeRole);
        model.setData(model.index(1, 0), true, CurrentRole);
        view.setModel(&model);
        view.setHeaderHidden(true);
        view.setItemDelegate(new RowDelegate(Row::tree, &view));
        view.resize(200, 120);
        const QImage image = view.viewport()->grab().toImage();
        const auto at = [&](int row, int x) {
            return QColor(image.pixel(x, view.visualRect(model.index(row, 0)).center().y()));
        };
        QCOMPARE(at(0, 1), mix(theme().color(Token::base), theme().color(Token::accent), 0.5));
        QCOMPARE(at(1, 1), theme().color(Token::accent));
        QCOMPARE(at(1, 150), theme().color(Token::accentFill));
        QCOMPARE(at(2, 1), theme().color(Token::base));
    }

    // Names of a hundred thousand letters are cut before they are drawn: what is painted is what fits.
    void oddNamesAreCutBeforeTheyAreDrawn()
    {
        QTreeView view;
        QStandardItemModel model;
        for (const QString& name : oddNames()) {
            auto* item = new QStandardItem(name);
            item->setData(name, SecondTextRole);
            item->setData(true, MonoRole);
            item->setData(QVariant::fromValue(QList<Pill>{{name}}), ChipsRole);
            model.appendRow(item);
        }
        view.setModel(&model);
        view.setItemDelegate(new RowDelegate(Row::tree, &view));
        view.resize(240, 500);
        QPicture picture;
        view.render(&picture);
        QVERIFY2(picture.size() > 100 && picture.size() < 200'000,
                 qPrintable(QString::number(picture.size())));
    }
};

FUSESCOPE_TEST(RowDelegateTest, row_delegate_test)
#include "row_delegate_test.moc"
