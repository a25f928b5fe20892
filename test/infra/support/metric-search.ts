/** A metric that has data, as CloudWatch stores it. */
export interface KnownMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface Term {
  /** `MetricName` or the name of a dimension. */
  readonly of: string;
  readonly value: string;
  readonly isExact: boolean;
}

/**
 * Evaluates a SEARCH expression of CloudWatch as far as the dashboard uses it. It is stricter than CloudWatch: a value
 * that is not quoted must be one word, because CloudWatch gives `-` and spaces a meaning of their own.
 *
 * - The schema names a namespace and exactly the dimensions that a metric has.
 * - All terms must match. In double quotes, a term is the whole name; without, it is one word of the name.
 *
 * See https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html.
 *
 * @throws Error if the expression is not in the part of the syntax that this function knows
 */
export function search(expression: string, metrics: readonly KnownMetric[]): readonly KnownMetric[] {
  const parts = /^SEARCH\('\{([^}]+)\} (.+)', '(\w+)', (\d+)\)$/.exec(expression);
  if (parts === null) throw new Error(`not a SEARCH expression that is known here: ${expression}`);
  const [, schema = '', query = '', statistic = ''] = parts;
  if (!/^(Sum|Average|Minimum|Maximum|SampleCount|p\d+)$/.test(statistic))
    throw new Error(`no statistic: ${statistic}`);
  const [namespace, ...dimensions] = schema.split(',');
  const terms = readTerms(query);
  for (const { of } of terms)
    if (of !== 'MetricName' && !dimensions.includes(of))
      throw new Error(`${of} is not in the schema ${schema}`);
  return metrics.filter(
    (metric) =>
      metric.namespace === namespace &&
      Object.keys(metric.dimensions).sort().join() === dimensions.toSorted().join() &&
      terms.every((term) => matches(metric, term)),
  );
}

function readTerms(query: string): Term[] {
  const term = /(\w+)=(?:"([^"]*)"|([^\s"]+))\s*/y;
  const terms: Term[] = [];
  while (term.lastIndex < query.length) {
    const from = term.lastIndex;
    const found = term.exec(query);
    if (found === null) throw new Error(`not understood: ${query.slice(from)}`);
    const [, of = '', exact, word] = found;
    if (word !== undefined && !/^[A-Za-z0-9]+$/.test(word))
      throw new Error(`${word} is more than one word: quote it, or search for each word`);
    terms.push({ of, value: exact ?? word ?? '', isExact: exact !== undefined });
  }
  return terms;
}

function matches({ name, dimensions }: KnownMetric, { of, value, isExact }: Term): boolean {
  const stored = of === 'MetricName' ? name : (dimensions[of] ?? '');
  if (isExact) return stored === value;
  const words = stored.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  return words.some((word) => word.toLowerCase() === value.toLowerCase());
}
