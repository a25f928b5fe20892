import { readAssembly } from '@herald/local-cloud/assembly/assembly.ts';
import { passesFilters } from '@herald/local-cloud/event-sources/event-filter.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiFunctions } from '../../infra/functions/api.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { findStage } from '../../infra/stages.ts';
import { deployedOperations } from '../../lib/operations.ts';
import {
  calledFunction,
  constructName,
  referenced,
  synthesize,
  synthesizeOnce,
  type Templates,
} from './support/synthesize.ts';
import { featuresIn, limitsIn, nearlyFull } from './support/variables.ts';

let service: Templates;

beforeAll(() => {
  service = synthesizeOnce();
});

describe('the stacks', () => {
  it('stay well below CloudFormation’s limit of 500 resources', () => {
    expect(nearlyFull(service)).toEqual([]);
  });

  it('contain only the service’s own functions', () => {
    const names = service.ofType('AWS::Lambda::Function').map(constructName).sort();
    expect(names).toEqual([...apiFunctions, ...workerFunctions].map(({ name }) => name).sort());
  });
});

describe('every function', () => {
  it('runs on Node.js 24 and arm64, with a timeout and a memory size', () => {
    for (const { Properties } of service.ofType('AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: expect.any(Number),
        MemorySize: expect.any(Number),
      });
    }
  });

  it('times out before the gateway does, after 30 s', () => {
    const functions = service
      .ofType('AWS::Lambda::Function')
      .filter((resource) => apiFunctions.some(({ name }) => name === constructName(resource)));
    expect(functions).toHaveLength(apiFunctions.length);
    for (const { Properties } of functions) expect(Properties.Timeout).toBeLessThan(30);
  });

  it('has its own log group with limited retention', () => {
    const retention = new Map(
      service.ofType('AWS::Logs::LogGroup').map((log) => [log.logicalId, log.Properties.RetentionInDays]),
    );
    const logs = service
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => referenced(Properties.LoggingConfig.LogGroup));
    expect(new Set(logs).size).toBe(logs.length);
    for (const log of logs) expect(retention.get(log)).toBeGreaterThan(0);
  });
});

describe('the API', () => {
  const served = () => {
    const handlers = new Map(
      service
        .ofType('AWS::ApiGatewayV2::Integration')
        .map(({ logicalId, Properties }) => [logicalId, calledFunction(service, Properties.IntegrationUri)]),
    );
    return new Map(
      service
        .ofType('AWS::ApiGatewayV2::Route')
        .map(({ Properties }) => [
          Properties.RouteKey,
          handlers.get(referenced(Properties.Target['Fn::Join'][1][1])),
        ]),
    );
  };

  it('serves every route as written and under /api with the same function', () => {
    const routes = served();
    for (const { name, routes: declared } of apiFunctions) {
      for (const route of declared) {
        expect(routes.get(route)).toBe(name);
        if (route !== '$default') expect(routes.get(route.replace(' ', ' /api'))).toBe(name);
      }
    }
    expect(routes.size).toBe(apiFunctions.flatMap(({ routes }) => routes).length * 2 - 1);
  });

  it('serves exactly the routes of the OpenAPI document, each with the function of its handler', () => {
    const routes = served();
    const plain = [...routes.keys()].filter((route) => route !== '$default' && !route.includes(' /api/'));
    expect(plain.sort()).toEqual(deployedOperations.map(({ method, path }) => `${method} ${path}`).sort());
    for (const { handler, method, path } of deployedOperations) {
      expect(routes.get(`${method} ${path}`), path).toBe(handler.replaceAll('/', '-'));
    }
  });

  it('creates the routes of a stack one after another, because API Gateway may refuse two at the same time', () => {
    for (const [stack, resources] of Object.entries(service.stacks)) {
      const routes = resources.filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route');
      const ids = new Set(routes.map(({ logicalId }) => logicalId));
      const before = routes.map(({ DependsOn = [] }) => DependsOn.filter((id) => ids.has(id)));
      expect(before.filter((each) => each.length === 0).length, stack).toBe(Math.min(1, routes.length));
      expect(new Set(before.flat()).size, stack).toBe(Math.max(0, routes.length - 1));
      expect(before.flat().length, stack).toBe(Math.max(0, routes.length - 1));
    }
  });

  it('sends requests that match no route to our own 404', () => {
    expect(served().get('$default')).toBe('not-found');
  });

  it('invokes each function through one integration and one permission', () => {
    expect(service.ofType('AWS::ApiGatewayV2::Integration')).toHaveLength(apiFunctions.length);
    const permissions = service.ofType('AWS::Lambda::Permission');
    const fromGateway = permissions.filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    );
    expect(fromGateway).toHaveLength(apiFunctions.length);
  });

  it('logs each request and its outcome, but no header, path, query or client address', () => {
    const [stage] = service.ofType('AWS::ApiGatewayV2::Stage');
    const format: string = stage?.Properties.AccessLogSettings.Format;
    expect(Object.values(JSON.parse(format)).toSorted()).toEqual(
      [
        'error.message',
        'integrationErrorMessage',
        'integrationLatency',
        'requestId',
        'requestTime',
        'responseLatency',
        'responseLength',
        'routeKey',
        'status',
      ].map((variable) => `$context.${variable}`),
    );
  });

  // A trace has the whole URL, as would the access logs of CloudFront and of buckets.
  it('writes no traces and no other access logs', () => {
    for (const { Properties = {} } of Object.values(service.stacks).flat())
      for (const setting of ['TracingConfig', 'TracingEnabled', 'LoggingConfiguration'])
        expect(Properties).not.toHaveProperty(setting);
    for (const { Properties } of service.ofType('AWS::CloudFront::Distribution'))
      expect(Properties.DistributionConfig).not.toHaveProperty('Logging');
    for (const type of [
      'AWS::Logs::Delivery',
      'AWS::Logs::DeliverySource',
      'AWS::CloudFront::RealtimeLogConfig',
    ])
      expect(service.ofType(type)).toEqual([]);
  });

  it('keeps the log of its requests under the prefix for logs that services write, and serves IPv6', () => {
    const [stage] = service.ofType('AWS::ApiGatewayV2::Stage');
    const log = service
      .ofType('AWS::Logs::LogGroup')
      .find(({ logicalId }) => logicalId === referenced(stage?.Properties.AccessLogSettings.DestinationArn));
    expect(log?.Properties.LogGroupName).toBe('/aws/vendedlogs/herald-dev-http-api');
    expect(service.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties.IpAddressType).toBe('dualstack');
  });

  it('throttles tracked links separately from the rest of the API', () => {
    const [stage] = service.ofType('AWS::ApiGatewayV2::Stage');
    const settings: Record<string, { ThrottlingRateLimit: number }> = stage?.Properties.RouteSettings;
    expect(Object.keys(settings).sort()).toEqual([
      'GET /api/r/{code}',
      'GET /r/{code}',
      'HEAD /api/r/{code}',
      'HEAD /r/{code}',
    ]);
    for (const { ThrottlingRateLimit } of Object.values(settings)) {
      expect(ThrottlingRateLimit).toBe(findStage('dev').linkThrottle.requestsPerSecond);
    }
    expect(findStage('production').linkThrottle.requestsPerSecond).toBeGreaterThan(5_000);
  });

  it('has a gateway throttle far above our own limit per client', () => {
    const [stage] = service.ofType('AWS::ApiGatewayV2::Stage');
    const [handler] = service
      .ofType('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties.Environment.Variables.RATE_LIMIT_PER_MINUTE);
    const ours = Number(handler?.Properties.Environment.Variables.RATE_LIMIT_PER_MINUTE) / 60;
    expect(stage?.Properties.DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan(ours * 10);
  });
});

it('Lambda stops loops of all functions but those that send to the queue that they consume', () => {
  const allowing = service
    .ofType('AWS::Lambda::Function')
    .filter(({ Properties }) => Properties.RecursiveLoop === 'Allow')
    .map(constructName);
  expect(allowing.sort()).toEqual([
    'deliver-slow-webhook',
    'deliver-webhook',
    'import-media',
    'publish-target',
    'run-automation',
    'upload-target',
  ]);
});

describe('the rate limits of a stage', () => {
  it('are per address alone by default', () => {
    expect(limitsIn(service)).toEqual(new Set(['600  ']));
  });
});

describe('the features of a stage', () => {
  it('are all by default', () => {
    expect(new Set(featuresIn(service))).toEqual(new Set(['{}']));
  });

  it.each<[string, object]>([
    [
      'features.instagram: unknown feature dms: instagram has publish, comments, messages',
      { instagram: ['dms'] },
    ],
    ['features: unknown platform myspace', { myspace: ['publish'] }],
  ])('stop the synthesis with “%s”', (message, features) => {
    expect(() => synthesize({ stage: { ...findStage('dev'), features } })).toThrow(message);
  });
});

describe('every queue', () => {
  it('moves messages that keep failing to a dead-letter queue, which keeps them longer', () => {
    const queues = new Map(service.ofType('AWS::SQS::Queue').map((queue) => [queue.logicalId, queue]));
    const working = [...queues.values()].filter(({ Properties }) => Properties.RedrivePolicy);
    expect(working).toHaveLength(11);
    for (const { Properties } of working) {
      const deadLetters = queues.get(referenced(Properties.RedrivePolicy.deadLetterTargetArn));
      expect(Properties.RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5);
      expect(deadLetters?.Properties.MessageRetentionPeriod).toBeGreaterThan(
        Properties.MessageRetentionPeriod,
      );
    }
  });

  it('has an alarm: on the first message in a dead-letter queue, otherwise on the age of the oldest message', () => {
    const alarms = service.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
    for (const { logicalId, Properties } of service.ofType('AWS::SQS::Queue')) {
      const own = alarms.filter(({ Dimensions }) => referenced(Dimensions?.[0]?.Value) === logicalId);
      expect(own).toEqual([
        Properties.RedrivePolicy
          ? expect.objectContaining({ MetricName: 'ApproximateAgeOfOldestMessage' })
          : expect.objectContaining({
              MetricName: 'ApproximateNumberOfMessagesVisible',
              Threshold: 0,
              ComparisonOperator: 'GreaterThanThreshold',
            }),
      ]);
      expect(own[0].AlarmDescription).not.toBe('');
    }
  });

  it('has a visibility timeout of six times its consumer’s timeout', () => {
    const timeouts = new Map(
      service
        .ofType('AWS::Lambda::Function')
        .map((handler) => [constructName(handler), handler.Properties.Timeout]),
    );
    for (const { Properties } of service.ofType('AWS::Lambda::EventSourceMapping')) {
      const source = referenced(Properties.EventSourceArn);
      const queue = service.ofType('AWS::SQS::Queue').find(({ logicalId }) => source.includes(logicalId));
      if (queue === undefined) continue;
      expect(queue.Properties.VisibilityTimeout).toBe(
        6 * timeouts.get(calledFunction(service, Properties.FunctionName)),
      );
    }
  });
});

describe('every consumer', () => {
  it('reports the records that failed, so that only they are retried', () => {
    const mappings = service.ofType('AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(13);
    for (const { Properties } of mappings) {
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });
});

describe('the local cloud', () => {
  const model = () =>
    readAssembly({
      directory: service.directory,
      addresses: {
        endpointUrl: 'http://127.0.0.1:1',
        apiUrl: 'http://127.0.0.1:2',
        edgeUrl: () => 'http://127.0.0.1:3',
      },
    });

  it('reads the deployed functions, routes, upload notifications and rules', () => {
    const { functions, api, buckets, queues, eventSources, rules } = model();
    expect(functions.map(({ name }) => name)).toContain('posts-create');
    expect(api.routes.map(({ routeKey }) => routeKey)).toContain('POST /api/v1/posts');
    expect(buckets[0]?.notifications).toEqual([
      {
        events: ['s3:ObjectCreated:*'],
        prefix: 'incoming/',
        destinationArn: queues.find(({ name }) => name.includes('MediaArrivedQueue'))?.arn,
      },
    ]);
    expect(eventSources.every(({ reportsBatchItemFailures }) => reportsBatchItemFailures)).toBe(true);
    expect(rules.map(({ everySeconds }) => everySeconds)).toEqual(
      workerFunctions.flatMap(({ trigger }) => (trigger.kind === 'rate' ? [60 * trigger.everyMinutes] : [])),
    );
  });

  it('starts the relay for changes of targets, new imports, and what waiting posts depend on only', () => {
    const [stream] = model().eventSources.filter((source) => source.stream);
    const kinds = stream?.filters.map((filter) =>
      [...JSON.stringify(filter).matchAll(/"kind":\{"S":\["(\w+)"\]/g)].map(([, kind]) => kind),
    );
    const others = ['media', 'media', 'account', 'pause', 'pause'];
    expect(kinds).toEqual([['target'], ['target'], ['target'], ['target'], others]);
  });

  it('has at most five filters per event source, Lambda’s quota', () => {
    expect(Math.max(...model().eventSources.map(({ filters }) => filters.length))).toBeLessThanOrEqual(5);
  });

  const image = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }]));
  const post = (status: string) => image({ kind: 'post', status });
  const account = (status: string) => image({ kind: 'account', status });
  it.each<[string, boolean, string, Record<string, unknown>]>([
    [
      'a post that has settled',
      true,
      'MODIFY',
      { OldImage: post('publishing'), NewImage: post('published') },
    ],
    ['a new post with a time', true, 'INSERT', { NewImage: post('scheduled') }],
    ['a new draft, which the search finds', true, 'INSERT', { NewImage: post('draft') }],
    ['a post that is deleted, which the search forgets', true, 'REMOVE', { OldImage: post('failed') }],
    ['a target', false, 'MODIFY', { NewImage: image({ kind: 'target', status: 'published' }) }],
    ['an account that expires', true, 'MODIFY', { OldImage: account('ok'), NewImage: account('expired') }],
    [
      'an expired account that is changed',
      false,
      'MODIFY',
      { OldImage: account('expired'), NewImage: account('expired') },
    ],
    ['a new account', true, 'INSERT', { NewImage: account('ok') }],
    [
      'an account that is connected again',
      true,
      'MODIFY',
      { OldImage: account('expired'), NewImage: account('ok') },
    ],
    [
      'an account that the platform restricts, which may expire soon',
      true,
      'MODIFY',
      { OldImage: account('ok'), NewImage: account('error') },
    ],
    [
      'an expired account that is disconnected',
      true,
      'MODIFY',
      {
        OldImage: account('expired'),
        NewImage: image({ kind: 'account', status: 'expired', disconnectedAt: '2026-03-01T12:00:00.000Z' }),
      },
    ],
    ['a comment', true, 'INSERT', { NewImage: image({ kind: 'inboundComment' }) }],
    ['a comment that expires', false, 'REMOVE', { OldImage: image({ kind: 'inboundComment' }) }],
    ['a message', true, 'INSERT', { NewImage: image({ kind: 'inboundMessage', text: 'hi' }) }],
    [
      'a tap on our own button',
      false,
      'INSERT',
      { NewImage: image({ kind: 'inboundMessage', payload: 'herald:…' }) },
    ],
    ['a notice that a version ends', true, 'INSERT', { NewImage: image({ kind: 'versionNotice' }) }],
    ['an automation’s action', false, 'INSERT', { NewImage: image({ kind: 'automationReply' }) }],
    ['a stored event', false, 'INSERT', { NewImage: image({ kind: 'webhookEvent' }) }],
    [
      'a delivery that is attempted',
      false,
      'MODIFY',
      { NewImage: image({ kind: 'delivery', status: 'pending' }) },
    ],
  ])('for %s, starts announce: %s', (_what, starts, eventName, dynamodb) => {
    const [, stream] = model().eventSources.filter((source) => source.stream);
    expect(passesFilters(stream?.filters ?? [], { eventName, dynamodb })).toBe(starts);
  });

  it('starts no function for a click', () => {
    const before = { kind: { S: 'clicks' }, clicks: { N: '1' } };
    const after = { kind: { S: 'clicks' }, clicks: { N: '2' } };
    const first = { eventName: 'INSERT', dynamodb: { NewImage: before } };
    const next = { eventName: 'MODIFY', dynamodb: { OldImage: before, NewImage: after } };
    const sources = model().eventSources.filter(({ stream }) => stream);
    expect(sources.length).toBeGreaterThan(0);
    for (const { filters = [] } of sources) {
      expect(filters.length).toBeGreaterThan(0);
      for (const record of [first, next]) expect(passesFilters(filters, record)).toBe(false);
    }
  });

  it('gives up on an event while the stream still keeps its record', () => {
    const ages = model().eventSources.flatMap(({ stream }) => stream?.maximumRecordAgeSeconds ?? []);
    expect(ages).toEqual([-1, 12 * 3_600]);
  });
});
