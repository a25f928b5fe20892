import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStageLogs } from '../../../lib/aws/stage-logs.ts';
import { type MetricQuestion, readMetrics } from '../../../lib/aws/stage-metrics.ts';

const region = { region: 'eu-west-1' };

describe('the metrics of a stage', () => {
  const client = new CloudWatchClient(region);
  const answers = mockClient(client);
  beforeEach(() => answers.reset());
  const question = (statistic: MetricQuestion['statistic']): MetricQuestion => ({
    namespace: 'Herald/dev',
    name: 'DestinationsPublished',
    dimensions: { platform: 'threads' },
    statistic,
  });

  it('are answered in the order of the questions, and nothing measured is not zero', async () => {
    answers.on(GetMetricDataCommand).resolves({
      MetricDataResults: [
        { Id: 'm2', Values: [] },
        { Id: 'm1', Values: [3, 9] },
        { Id: 'm0', Values: [3, 4] },
      ],
    });
    const questions = [question('Sum'), question('Maximum'), question('Sum')];
    const span = { fromMs: 0, toMs: 3_600_000 };
    expect(await readMetrics(questions, span, client)).toEqual([7, 9, undefined]);
    const [call] = answers.commandCalls(GetMetricDataCommand);
    expect(call?.args[0].input.MetricDataQueries?.[0]?.MetricStat).toMatchObject({
      Period: 3_600,
      Metric: { Dimensions: [{ Name: 'platform', Value: 'threads' }] },
    });
  });

  it('cost no request without a question', async () => {
    expect(await readMetrics([], { fromMs: 0, toMs: 1 }, client)).toEqual([]);
    expect(answers.calls()).toHaveLength(0);
  });
});

describe('the logs of a stage', () => {
  const client = new CloudWatchLogsClient(region);
  const answers = mockClient(client);
  beforeEach(() => answers.reset());
  const group = 'herald-dev-workers-relaylog1A2B3C4D-x';
  const event = (eventId: string) => ({ eventId, timestamp: 5, message: `${eventId}\n` });

  it('are found page by page', async () => {
    answers
      .on(DescribeLogGroupsCommand, { nextToken: undefined })
      .resolves({ logGroups: [{ logGroupName: group }], nextToken: 'more' })
      .on(DescribeLogGroupsCommand, { nextToken: 'more' })
      .resolves({ logGroups: [{ logGroupName: 'other' }] });
    expect(await openStageLogs(client).findGroups('dev')).toEqual([group, 'other']);
  });

  it('are read to the limit, with the name of the function', async () => {
    answers.on(FilterLogEventsCommand).resolves({ events: [event('a'), event('b')], nextToken: 'more' });
    const lines = await openStageLogs(client).read(group, { sinceMs: 5 }, 3);
    expect(lines).toEqual(
      ['a', 'b', 'a'].map((line) => ({ id: line, atMs: 5, functionName: 'relay', line })),
    );
    expect(answers.calls()).toHaveLength(2);
  });
});
