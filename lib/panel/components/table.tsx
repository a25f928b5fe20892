import { type CSSProperties, memo, type ReactNode, useDeferredValue, useMemo } from 'react';
import { join } from './classes.ts';
import classes from './table.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

export interface Column<Row> {
  readonly id: string;
  /** On small screens it stands before each value. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The width as a track of a grid; default `minmax(0, 1fr)`. No width may depend on the content. */
  readonly width?: string;
  /** The column that names the row. One column has it. */
  readonly isRowHeader?: boolean;
  /** For buttons and menus, whose columns need no visible title. */
  readonly isTitleHidden?: boolean;
  /** For the menu of a row: on small screens it is in the card's corner. */
  readonly isInCorner?: boolean;
  /** For numbers. */
  readonly isEnd?: boolean;
}

interface TableProps<Row> {
  /** Says what the rows are: “API keys”. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** Shows rows that no longer count, such as revoked keys, less prominently. */
  readonly isFaded?: (row: Row) => boolean;
}

/** With more rows than this, the browser skips the layout of those out of sight. */
const skippedAbove = 60;
/** These fill a usual screen. */
const firstRows = 30;

/**
 * A list with columns. On small screens each row is a card with the titles before the values, so nothing scrolls sideways. Of a long
 * list the first rows are shown at once and the rest as soon as it is made, without keeping the page from answering; the browser lays
 * out only the rows in sight. It has roles instead of the elements of tables, which lose theirs if they
 * are shown as cards.
 */
export function Table<Row>({ label, idOf, isFaded, ...now }: TableProps<Row>) {
  const { columns, rows } = useDeferredContent(now);
  const tracks = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  return (
    <div className={classes['frame']}>
      <div
        role="table"
        aria-label={label}
        className={classes['table']}
        style={{ '--tracks': tracks } as CSSProperties}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" className={classes['row']}>
            {columns.map(({ id, title, isTitleHidden, isEnd }) => (
              <div key={id} role="columnheader" className={join(classes['title'], isEnd && classes['end'])}>
                {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={join(classes['body'], rows.length > skippedAbove && classes['long'])}>
          {rows.map((row) => (
            <TableRow
              key={idOf(row)}
              row={row}
              columns={columns as readonly Column<unknown>[]}
              isFaded={isFaded?.(row)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

type Content<Row> = Pick<TableProps<Row>, 'columns' | 'rows'>;

/** What is shown of long lists follows a moment later: first the rows of one screen, then all; later all that has changed. */
function useDeferredContent<Row>({ columns, rows }: Content<Row>): Content<Row> {
  const now = useMemo(() => ({ columns, rows }), [columns, rows]);
  const deferred = useDeferredValue(now, { columns, rows: rows.slice(0, firstRows) });
  return rows.length > skippedAbove ? deferred : now;
}

interface RowProps {
  readonly row: unknown;
  readonly columns: readonly Column<unknown>[];
  readonly isFaded: boolean | undefined;
}

const TableRow = memo(({ row, columns, isFaded }: RowProps) => (
  <div role="row" className={join(classes['row'], isFaded && classes['faded'])}>
    {columns.map(({ id, title, cell, isRowHeader, isTitleHidden, isInCorner, isEnd }) => (
      <div
        key={id}
        role={isRowHeader ? 'rowheader' : 'cell'}
        className={join(
          classes['cell'],
          isRowHeader && classes['name'],
          isTitleHidden && classes['untitled'],
          isInCorner && classes['corner'],
          isEnd && classes['end'],
        )}
        data-title={isRowHeader || isTitleHidden ? undefined : title}
      >
        {cell(row)}
      </div>
    ))}
  </div>
));
