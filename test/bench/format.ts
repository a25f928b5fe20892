import type { BenchTable } from './bench.ts';

/** Formats a table as plain text. Columns whose cells all begin with a digit are aligned right, others left. */
export function formatTable({ title, columns, rows, notes }: BenchTable): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  const isNumeric = columns.map((_, column) => rows.every((row) => /^[\d-]|^$/.test(row[column] ?? '')));
  const formatRow = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return isNumeric[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [
    title,
    '',
    formatRow(columns),
    rule,
    ...rows.map(formatRow),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n');
}
