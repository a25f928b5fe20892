import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { record as recorder } from '../../../functions/wire/metrics.ts';
import { environmentOf } from '../../../functions/wire/start.ts';

const record = recorder(environmentOf({ STAGE: 'production' }));

let written: string[];
beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('measurements', () => {
  it('are written in CloudWatch’s format: one line per platform, which counts for all platforms too, in the stage’s namespace', () => {
    record([
      { name: 'DestinationsPublished', value: 1, platform: 'threads' },
      { name: 'GoLiveLateness', value: 20, platform: 'threads' },
      { name: 'DestinationsPublished', value: 1, platform: 'youtube' },
      { name: 'GoLiveLateness', value: 40, platform: 'threads' },
      { name: 'WebhooksDelivered', value: 1 },
    ]);
    const [threads, youtube, webhooks, ...more] = written.map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    expect(threads).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'Herald/production',
            Dimensions: [['service', 'platform'], ['service']],
            Metrics: [
              { Name: 'DestinationsPublished', Unit: 'Count' },
              { Name: 'GoLiveLateness', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
      service: 'herald',
      platform: 'threads',
      DestinationsPublished: 1,
      GoLiveLateness: [20, 40],
    });
    expect(youtube).toMatchObject({ platform: 'youtube', DestinationsPublished: 1 });
    expect(webhooks).toMatchObject({ WebhooksDelivered: 1 });
    expect(webhooks).not.toHaveProperty('platform');
  });

  it('with a reason have a line of their own besides, so that both are counted', () => {
    record([
      { name: 'DestinationsPutOff', value: 1, platform: 'threads', reason: 'internal' },
      { name: 'DestinationsPutOff', value: 1, platform: 'threads', reason: 'paused' },
      { name: 'ActionsPutOff', value: 1, reason: 'paused' },
    ]);
    const lines = written.map((line) => JSON.parse(line));
    expect(
      lines.map(({ _aws, platform, reason, DestinationsPutOff, ActionsPutOff }) => [
        _aws.CloudWatchMetrics[0].Dimensions,
        { platform, reason, DestinationsPutOff, ActionsPutOff },
      ]),
    ).toEqual([
      [[['service', 'platform'], ['service']], { platform: 'threads', DestinationsPutOff: [1, 1] }],
      [
        [['service', 'platform', 'reason']],
        { platform: 'threads', reason: 'internal', DestinationsPutOff: 1 },
      ],
      [[['service', 'platform', 'reason']], { platform: 'threads', reason: 'paused', DestinationsPutOff: 1 }],
      [[['service']], { ActionsPutOff: 1 }],
      [[['service', 'reason']], { reason: 'paused', ActionsPutOff: 1 }],
    ]);
  });

  it('are not written if there are none', () => {
    record([]);
    expect(written).toEqual([]);
  });
});
