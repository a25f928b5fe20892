import type { CSSProperties, ReactNode, Ref } from 'react';
import { join } from './classes.ts';
import { useRowWindow } from './row-window.ts';
import classes from './table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Column<Row> {
  id: string;
  /** The column's title; on small screens it stands before each value. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** The width as a track of a grid; default `minmax(0, 1fr)`. No width may depend on the content. */
  width?: string;
  /** The column that names the row. One column has it. */
  isRowHeader?: boolean;
  /** True for buttons and menus, whose columns need no visible title. */
  isTitleHidden?: boolean;
  /** True for the menu of a row: on small screens it is in the card's corner. */
  isInCorner?: boolean;
  /** True for numbers, which are aligned at the end. */
  isEnd?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  isFaded?: (row: Row) => boolean;
}

/** Longer lists have only the rows near what is in sight. */
const completeUpTo = 60;

/**
 * A list with columns. On small screens each row is a card with the titles before the values, so nothing scrolls sideways. Of a long
 * list only the rows near what is in sight are in the page, so the browser's search does not find the others: pages with long lists
 * have a search of their own. The table has roles instead of the elements of tables, which lose theirs if they are shown as cards.
 */
export function Table<Row>({ label, columns, rows, idOf, isFaded }: TableProps<Row>) {
  const tracks = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  const ids = rows.map(idOf);
  const isLong = rows.length > completeUpTo;
  const { shown, height, ref, onFocus, rowRef } = useRowWindow({ name: label, ids, isLong });
  return (
    <div className={classes.frame}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={isLong ? rows.length + 1 : undefined}
        className={classes.table}
        style={{ '--tracks': tracks } as CSSProperties}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={isLong ? 1 : undefined} className={classes.row}>
            {columns.map(({ id, title, isTitleHidden, isEnd }) => (
              <div key={id} role="columnheader" className={join(classes.title, isEnd && classes.end)}>
                {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={ref}
          className={join(classes.body, isLong && classes.long)}
          style={{ blockSize: height }}
          onFocus={onFocus}
        >
          {shown.map(({ index, top }) => (
            <TableRow
              key={ids[index]}
              ref={rowRef}
              row={rows[index]}
              index={index}
              top={top}
              columns={columns as readonly Column<unknown>[]}
              isFaded={isFaded?.(rows[index] as Row)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  ref: Ref<HTMLDivElement> | undefined;
  row: unknown;
  index: number;
  top: number | undefined;
  columns: readonly Column<unknown>[];
  isFaded: boolean | undefined;
}

function TableRow({ ref, row, index, top, columns, isFaded }: RowProps) {
  return (
    <div
      ref={ref}
      role="row"
      data-index={index}
      // The head is row 1.
      aria-rowindex={top === undefined ? undefined : index + 2}
      className={join(classes.row, isFaded && classes.faded)}
      style={{ insetBlockStart: top }}
    >
      {columns.map(({ id, title, cell, isRowHeader, isTitleHidden, isInCorner, isEnd }) => (
        <div
          key={id}
          role={isRowHeader ? 'rowheader' : 'cell'}
          className={join(
            classes.cell,
            isRowHeader && classes.name,
            isTitleHidden && classes.untitled,
            isInCorner && classes.corner,
            isEnd && classes.end,
          )}
          data-title={isRowHeader || isTitleHidden ? undefined : title}
        >
          {cell(row)}
        </div>
      ))}
    </div>
  );
}
