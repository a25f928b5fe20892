import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { awsClientOptions } from './client-options.ts';

/** One number to request from CloudWatch. */
export interface MetricQuestion {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Maximum';
}

/** Epoch milliseconds. */
export interface MetricSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The maximum number of questions that CloudWatch answers in one request. */
const maxQuestions = 500;

/**
 * Reads metrics over one span, for operators.
 *
 * @returns a number for each question, in their order; `undefined` if nothing was measured
 */
export async function readMetrics(
  questions: readonly MetricQuestion[],
  { fromMs, toMs }: MetricSpan,
  client = new CloudWatchClient(awsClientOptions({}, 10_000)),
): Promise<(number | undefined)[]> {
  if (questions.length === 0) return [];
  const periodSeconds = Math.max(60, Math.ceil((toMs - fromMs) / 60_000) * 60);
  const answer = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(fromMs),
      EndTime: new Date(toMs),
      MetricDataQueries: questions
        .slice(0, maxQuestions)
        .map((question, index) => queryOf(question, index, periodSeconds)),
    }),
  );
  const byId = new Map((answer.MetricDataResults ?? []).map(({ Id, Values = [] }) => [Id, Values]));
  return questions.map(({ statistic }, index) => {
    const values = byId.get(idOf(index)) ?? [];
    if (values.length === 0) return undefined;
    return statistic === 'Sum' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
}

const idOf = (index: number): string => `m${index}`;

function queryOf(
  { namespace, name, dimensions, statistic }: MetricQuestion,
  index: number,
  Period: number,
): MetricDataQuery {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  const Metric = { Namespace: namespace, MetricName: name, Dimensions };
  return { Id: idOf(index), MetricStat: { Metric, Period, Stat: statistic }, ReturnData: true };
}
