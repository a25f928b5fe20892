import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { metricNamespace, metricUnits } from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { synthesizeOnce, type Templates } from './support/synthesize.ts';

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

let service: Templates;
beforeAll(() => {
  service = synthesizeOnce();
});

const alarms = () => service.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

/** The service's own metrics that alarms read, each with its platform if the alarm names one. */
const ownMetrics = (): StoredMetric[] =>
  alarms()
    .flatMap(({ Metrics = [] }: { Metrics?: MetricQuery[] }) => Metrics)
    .flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    .filter(({ Namespace }) => Namespace === metricNamespace('dev'));

describe('every alarm', () => {
  it('begins with a heading of the runbook', () => {
    const beginnings = alarms().map(({ AlarmDescription }) => AlarmDescription.split(': ')[0]);
    expect(beginnings.length).toBeGreaterThan(20);
    expect([...new Set(beginnings)].filter((beginning) => !headings.includes(beginning))).toEqual([]);
  });

  it('notifies operators when it fires and when it recovers, and treats missing data as healthy', () => {
    for (const { AlarmActions, OKActions, TreatMissingData } of alarms()) {
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
      expect(TreatMissingData).toBe('notBreaching');
    }
  });

  it('reads at most ten metrics and uses no search, as CloudWatch requires', () => {
    for (const { Metrics = [] } of alarms()) {
      expect(Metrics.filter(({ MetricStat }: MetricQuery) => MetricStat).length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(Metrics)).not.toContain('SEARCH');
    }
  });
});

describe('the service’s own metrics', () => {
  it('raise an alarm for each platform separately if most posts to it fail', () => {
    const platforms = ownMetrics()
      .filter(({ MetricName }) => MetricName === 'DestinationsFailed')
      .map(({ Dimensions = [] }) => Dimensions.find(({ Name }) => Name === 'platform')?.Value);
    expect(platforms.sort()).toEqual([...platformNames].sort());
  });

  it('are read with the names and dimensions that functions write', () => {
    for (const { MetricName, Dimensions = [] } of ownMetrics()) {
      expect(Object.keys(metricUnits)).toContain(MetricName);
      const isPerPlatform = !MetricName.startsWith('Webhooks');
      expect(Dimensions.map(({ Name }) => Name).sort()).toEqual(
        isPerPlatform ? ['platform', 'service'] : ['service'],
      );
    }
  });

  it.each(Object.keys(metricUnits))('include %s, which has an alarm and a graph on the dashboard', (name) => {
    const [dashboard] = service.ofType('AWS::CloudWatch::Dashboard');
    expect(ownMetrics().map(({ MetricName }) => MetricName)).toContain(name);
    expect(JSON.stringify(dashboard?.Properties.DashboardBody)).toContain(name);
  });
});
