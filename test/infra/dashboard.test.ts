import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { metricNamespace } from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import { type KnownMetric, search } from './support/metric-search.ts';
import { constructName, devWithAlarms, synthesizeOnce, type Templates } from './support/synthesize.ts';

let service: Templates;
beforeAll(() => {
  service = synthesizeOnce();
});

interface Graph {
  readonly title: string;
  readonly metrics: readonly unknown[];
}

/** The dashboard's JSON, with `<logical id>` in place of each reference. */
function graphs(): Graph[] {
  const [dashboard] = service.ofType('AWS::CloudWatch::Dashboard');
  const body = dashboard?.Properties.DashboardBody;
  const text: string = body['Fn::Join'][1]
    .map((part: unknown) => (typeof part === 'string' ? part : '<reference>'))
    .join('');
  return JSON.parse(text).widgets.map(({ properties }: { properties: Graph }) => properties);
}

/** The metrics that have data while the service runs: Lambda's of each function, and our own as functions write them. */
function knownMetrics(): KnownMetric[] {
  const functions = Object.entries(service.stacks).flatMap(([stack, resources]) =>
    resources.flatMap((resource) =>
      resource.Type === 'AWS::Lambda::Function'
        ? // CloudFormation joins stack and logical id, cut to a length, with random letters.
          `herald-${devWithAlarms.name}-${stack}-${resource.logicalId.slice(0, 20)}-5kP0qWc2`
        : [],
    ),
  );
  const ofFunctions = functions.flatMap((FunctionName) =>
    ['Errors', 'Throttles', 'Invocations'].map((name) => ({
      namespace: 'AWS/Lambda',
      name,
      dimensions: { FunctionName },
    })),
  );
  return [...ofFunctions, ...ownMetrics()];
}

/** Written by `functions/wire/metrics.ts`; which of them have a platform is said by the code that records them. */
function ownMetrics(): KnownMetric[] {
  const perPlatform = [
    'GoLiveLateness',
    'DestinationsPublished',
    'DestinationsFailed',
    'DestinationsPutOff',
    'PlatformsInTrouble',
    'AccountsExpired',
    'InboundRefused',
  ];
  return perPlatform.flatMap((name) =>
    platformNames.map((platform) => ({
      namespace: metricNamespace(devWithAlarms.name),
      name,
      dimensions: { service: 'herald', platform },
    })),
  );
}

const searches = () =>
  graphs().flatMap(({ title, metrics }) =>
    metrics.flatMap((row) => {
      const [first] = row as [{ expression?: string }];
      return first.expression === undefined ? [] : [{ title, expression: first.expression }];
    }),
  );

describe('the dashboard', () => {
  it('searches only for metrics that exist', () => {
    expect(searches().length).toBeGreaterThan(6);
    const empty = searches().filter(({ expression }) => search(expression, knownMetrics()).length === 0);
    expect(empty).toEqual([]);
  });

  it('shows the errors and the throttles of each of the stage’s functions, and of no other', () => {
    const others = knownMetrics().map((metric) => ({
      ...metric,
      dimensions: {
        FunctionName: 'shop-dev-orders',
        ...(metric.namespace === 'AWS/Lambda' ? {} : metric.dimensions),
      },
    }));
    for (const name of ['Errors', 'Throttles']) {
      const found = searches()
        .filter(({ title }) => title === `Functions: ${name.toLowerCase()}`)
        .flatMap(({ expression }) => search(expression, [...knownMetrics(), ...others]));
      expect(found).toEqual(
        knownMetrics().filter((metric) => metric.namespace === 'AWS/Lambda' && metric.name === name),
      );
      expect(found.length).toBeGreaterThan(
        service.ofType('AWS::Lambda::Function').map(constructName).length - 1,
      );
    }
  });

  it('shows each platform in each of the searches for our own metrics', () => {
    const own = searches().filter(({ expression }) =>
      expression.includes(metricNamespace(devWithAlarms.name)),
    );
    expect(own.length).toBe(8);
    for (const { expression } of own) {
      expect(search(expression, knownMetrics()).map(({ dimensions }) => dimensions['platform'])).toEqual([
        ...platformNames,
      ]);
    }
  });

  it('knows each metric that the code records with a platform', () => {
    const recorders = [
      'lib/publishing/measurements.ts',
      'lib/publishing/outcome-line.ts',
      'lib/recovery/watch-platforms.ts',
      'lib/accounts/store.ts',
      'functions/consumers/ingest-delivery.ts',
      'functions/api/platform-webhook.ts',
    ].map((file) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
    for (const { name } of ownMetrics()) {
      expect(
        recorders.some((source) => source.includes(`name: '${name}'`)),
        name,
      ).toBe(true);
    }
  });
});
