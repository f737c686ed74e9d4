#include "ui/dialogs/help_view.h"

#include <QTextDocument>

namespace fusescope {

HelpView::HelpView(QWidget* parent) : QTextBrowser(parent)
{
    setOpenLinks(false);
    setOpenExternalLinks(false);
    setAccessibleName(tr("Help page"));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        if (!url.scheme().isEmpty())
            return;
        QString id = url.path();
        if (id.endsWith(QStringLiteral(".md")))
            id.chop(3);
        Q_EMIT pageRequested(id);
    });
}

void HelpView::showMarkdown(const QString& markdown)
{
    document()->setMarkdown(markdown, QTextDocument::MarkdownFeatures(
                                          QTextDocument::MarkdownDialectGitHub)
                                          | QTextDocument::MarkdownNoHTML);
}

QVariant HelpView::loadResource(int, const QUrl&)
{
    return {};
}

} // namespace fusescope
