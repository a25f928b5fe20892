import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricNamespace, metricUnits } from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { type Synthesized, synthesize } from './support/synthesize.ts';

interface MetricQuery {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: StoredMetric };
}
interface StoredMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');

let service: Synthesized;
beforeAll(() => {
  service = synthesize();
}, 60_000);
afterAll(() => service.remove());

const alarms = () => service.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

/** The service's own metrics that something reads: each with the platform it is asked for, where it is. */
const ownMetrics = (): StoredMetric[] =>
  alarms()
    .flatMap(({ Metrics = [] }: { Metrics?: MetricQuery[] }) => Metrics)
    .flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    .filter(({ Namespace }) => Namespace === metricNamespace('dev'));

describe('every alarm', () => {
  it('begins with a heading of the runbook, where it says what to do', () => {
    const beginnings = alarms().map(({ AlarmDescription }) => AlarmDescription.split(': ')[0]);
    expect(beginnings.length).toBeGreaterThan(20);
    expect([...new Set(beginnings)].filter((beginning) => !headings.includes(beginning))).toEqual([]);
  });

  it('tells the operators when it rings and when it is over, and takes silence for well', () => {
    for (const { AlarmActions, OKActions, TreatMissingData } of alarms()) {
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
      expect(TreatMissingData).toBe('notBreaching');
    }
  });

  it('reads ten metrics at most, and searches none: CloudWatch refuses both', () => {
    for (const { Metrics = [] } of alarms()) {
      expect(Metrics.filter(({ MetricStat }: MetricQuery) => MetricStat).length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(Metrics)).not.toContain('SEARCH');
    }
  });
});

describe('what the service measures of itself', () => {
  it('rings for each platform by itself where most posts to it fail', () => {
    const platforms = ownMetrics()
      .filter(({ MetricName }) => MetricName === 'DestinationsFailed')
      .map(({ Dimensions = [] }) => Dimensions.find(({ Name }) => Name === 'platform')?.Value);
    expect(platforms.sort()).toEqual([...platformNames].sort());
  });

  it('is asked for by the names and dimensions that functions write', () => {
    for (const { MetricName, Dimensions = [] } of ownMetrics()) {
      expect(Object.keys(metricUnits)).toContain(MetricName);
      const tellsPlatforms = !MetricName.startsWith('Webhooks');
      expect(Dimensions.map(({ Name }) => Name).sort()).toEqual(
        tellsPlatforms ? ['platform', 'service'] : ['service'],
      );
    }
  });

  it.each(Object.keys(metricUnits))('%s is read by an alarm and shown on the dashboard', (name) => {
    const [dashboard] = service.ofType('AWS::CloudWatch::Dashboard');
    expect(ownMetrics().map(({ MetricName }) => MetricName)).toContain(name);
    expect(JSON.stringify(dashboard?.Properties.DashboardBody)).toContain(name);
  });
});
