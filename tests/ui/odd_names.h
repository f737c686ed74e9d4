#pragma once

#include <QStringList>

// Names that files carry and that a surface might misread.
inline const QStringList& oddNames()
{
    static const QStringList names = {
        QStringLiteral("a@b"),
        QStringLiteral("x:0"),
        QStringLiteral("</b><img src=x>"),
        QStringLiteral("<b>bold</b>"),
        QStringLiteral("\"double\" 'single'"),
        QStringLiteral("two\nlines"),
        QStringLiteral("tab\there\r"),
        QStringLiteral("&amp; & &&"),
        QStringLiteral("title [*] [*][*]"),
        QString::fromUtf8("\xF0\x9F\x94\xA5 emoji \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC"),
        QString::fromUtf8("模型 v2 (最终)"),
        QStringLiteral("a\u202Egnp.exe"),
        QString(5000, u'x'),
        QString(5000, u'\n'),
        QString(2500, QChar(0x4E2D)) + QString::fromUtf8("\xF0\x9F\x94\xA5").repeated(1250),
        QString(QChar(0xD83D)),
        QString(),
    };
    return names;
}
