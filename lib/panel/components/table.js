import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { memo } from 'react';
import { join } from './classes.ts';
import classes from './table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';
/** With more rows than this, the browser skips the layout of those out of sight. */
const skippedAbove = 60;
/**
 * A list with columns. On small screens each row is a card with the titles before the values, so nothing scrolls sideways. Of a long
 * list the browser lays out only the rows in sight. It has roles instead of the elements of tables, which lose theirs if they
 * are shown as cards.
 */
export function Table({ label, columns, rows, idOf, isFaded }) {
    const tracks = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
    return (_jsx("div", { className: classes['frame'], children: _jsxs("div", { role: "table", "aria-label": label, className: classes['table'], style: { '--tracks': tracks }, children: [_jsx("div", { role: "rowgroup", className: classes['head'], children: _jsx("div", { role: "row", className: classes['row'], children: columns.map(({ id, title, isTitleHidden, isEnd }) => (_jsx("div", { role: "columnheader", className: join(classes['title'], isEnd && classes['end']), children: isTitleHidden ? _jsx(VisuallyHidden, { children: title }) : title }, id))) }) }), _jsx("div", { role: "rowgroup", className: join(classes['body'], rows.length > skippedAbove && classes['long']), children: rows.map((row) => (_jsx(TableRow, { row: row, columns: columns, isFaded: isFaded?.(row) }, idOf(row)))) })] }) }));
}
const TableRow = memo(({ row, columns, isFaded }) => (_jsx("div", { role: "row", className: join(classes['row'], isFaded && classes['faded']), children: columns.map(({ id, title, cell, isRowHeader, isTitleHidden, isEnd }) => (_jsx("div", { role: isRowHeader ? 'rowheader' : 'cell', className: join(classes['cell'], isRowHeader && classes['name'], isTitleHidden && classes['untitled'], isEnd && classes['end']), "data-title": isRowHeader || isTitleHidden ? undefined : title, children: cell(row) }, id))) })));
