/**
 * Runs the part of CloudWatch Logs Insights' query language that the service's saved queries use, and refuses the rest.
 *
 * See https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html.
 */

/** A line of a log as Logs Insights sees it: nested fields are joined with a dot, and each line has `@timestamp`. */
type Row = Readonly<Record<string, string | number | boolean>>;

/** The fields of a structured line. */
export function rowOf(line: Readonly<Record<string, unknown>>): Row {
  const flat = (value: unknown, path: string): [string, string | number | boolean][] => {
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([name, each]) => flat(each, path ? `${path}.${name}` : name));
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[path, value]]
      : [];
  };
  return Object.fromEntries([...flat(line, ''), ['@timestamp', String(line['timestamp'] ?? '')]]);
}

/** @throws Error if a command uses anything else than the part of the language that is known here */
export function runQuery(queryString: string, lines: readonly Readonly<Record<string, unknown>>[]): Row[] {
  const commands = queryString.split(/\n\| /);
  return commands.reduce<Row[]>((rows, command) => run(command, rows), lines.map(rowOf));
}

function run(command: string, rows: readonly Row[]): Row[] {
  const [, name = '', rest = ''] = /^(\w+) (.+)$/.exec(command) ?? [];
  switch (name) {
    case 'fields': {
      const names = rest.split(', ').map(fieldName);
      // The fields are shown; the others can still be used by the commands below.
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(names.map((each) => [each, row[each] ?? ''])),
      }));
    }
    case 'filter': {
      const conditions = rest.split(/ and (?=[\w.]+ (?:=|in|>) )/).map(conditionOf);
      return rows.filter((row) => conditions.every((holds) => holds(row)));
    }
    case 'stats':
      return statistics(rest, rows);
    case 'sort': {
      const [, field = '', order] = /^(@?[\w.]+) (asc|desc)$/.exec(rest) ?? refuse(command);
      const direction = order === 'asc' ? 1 : -1;
      return rows.toSorted((one, other) => direction * compare(one[field] ?? '', other[field] ?? ''));
    }
    case 'limit':
      return rows.slice(0, Number(/^\d{1,4}$/.exec(rest)?.[0] ?? refuse(command)));
    default:
      return refuse(command);
  }
}

const compare = (one: string | number | boolean, other: string | number | boolean): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1;

const fieldName = (text: string): string => /^@?\w+(?:\.\w+)*$/.exec(text)?.[0] ?? refuse(text);

function conditionOf(text: string): (row: Row) => boolean {
  const equal = /^([\w.]+) = "([^"]*)"$/.exec(text);
  if (equal) return (row) => row[equal[1] ?? ''] === equal[2];
  const among = /^([\w.]+) in (\["[^"]*"(?:, "[^"]*")*\])$/.exec(text);
  if (among) {
    const values = JSON.parse(among[2] ?? '[]') as unknown[];
    return (row) => values.includes(row[among[1] ?? '']);
  }
  const above = /^([\w.]+) > (\d+)$/.exec(text);
  if (above) return (row) => Number(row[above[1] ?? ''] ?? Number.NaN) > Number(above[2]);
  return refuse(text);
}

function statistics(text: string, rows: readonly Row[]): Row[] {
  const [, functions = '', by = ''] = /^(.+) by (.+)$/.exec(text) ?? refuse(text);
  const groupedBy = by.split(', ').map(fieldName);
  const columns = functions.split(/, (?=\w+\()/).map(columnOf);
  const groups = Map.groupBy(rows, (row) => JSON.stringify(groupedBy.map((name) => row[name] ?? '')));
  return [...groups.values()].map((group) => ({
    ...Object.fromEntries(groupedBy.map((name) => [name, group[0]?.[name] ?? ''])),
    ...Object.fromEntries(columns.map(({ name, of }) => [name, of(group)])),
  }));
}

function columnOf(text: string): { name: string; of: (rows: readonly Row[]) => string | number } {
  const [, call = '', name = ''] = /^(.+) as (\w+)$/.exec(text) ?? refuse(text);
  if (call === 'count(*)') return { name, of: (rows) => rows.length };
  const [, max] = /^max\((@?[\w.]+)\)$/.exec(call) ?? [];
  if (max !== undefined)
    return {
      name,
      of: (rows) =>
        (rows
          .map((row) => row[max] ?? '')
          .toSorted(compare)
          .at(-1) ?? '') as string,
    };
  const [, percentile, share] = /^pct\((\w+), (\d+)\)$/.exec(call) ?? refuse(text);
  return {
    name,
    of: (rows) => {
      const values = rows
        .flatMap((row) => row[percentile ?? ''] ?? [])
        .map(Number)
        .toSorted((a, b) => a - b);
      return values[Math.ceil((Number(share) / 100) * values.length) - 1] ?? '';
    },
  };
}

function refuse(text: string): never {
  throw new Error(`this part of a query is not known here: ${text}`);
}
