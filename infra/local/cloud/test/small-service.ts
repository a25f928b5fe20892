/** A service to test the local cloud with: six functions, a table with a stream, a queue, a rule and an HTTP API. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  App,
  aws_apigatewayv2 as api,
  Duration,
  aws_dynamodb as dynamodb,
  aws_lambda_event_sources as eventSources,
  aws_events as events,
  aws_events_targets as eventTargets,
  aws_iam as iam,
  aws_apigatewayv2_integrations as integrations,
  aws_lambda as lambda,
  aws_logs as logs,
  Stack,
  aws_sqs as sqs,
} from 'aws-cdk-lib';
import { buildSync } from 'esbuild';

/** `relay` sends each change in the table's stream to the queue; its consumer `note` writes a `seen-` item. */
const source = `
  import { DynamoDBClient, GetItemCommand, PutItemCommand, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
  import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs';
  const table = new DynamoDBClient({});
  const queue = new SQSClient({});
  const TableName = process.env.TABLE_NAME;
  const key = (id) => ({ pk: { S: id } });
  const put = (id, note) => table.send(new PutItemCommand({ TableName, Item: { ...key(id), note: { S: note } } }));
  const reply = (body) => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  export async function write({ pathParameters: { id } }) {
    await put(id, 'written at ' + new Date().toISOString());
    return reply({ id });
  }
  export async function read({ pathParameters: { id } }) {
    const { Item } = await table.send(new GetItemCommand({ TableName, Key: key(id) }));
    return reply({ note: Item?.note.S, baseUrl: process.env.BASE_URL });
  }
  export async function erase({ pathParameters: { id } }) {
    try {
      await table.send(new DeleteItemCommand({ TableName, Key: key(id) }));
      return reply({ erased: true });
    } catch (error) {
      return reply({ name: error.name, message: error.message });
    }
  }
  export async function relay({ Records }) {
    for (const { dynamodb } of Records) {
      await queue.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: dynamodb.Keys.pk.S }));
    }
  }
  export async function note({ Records }) {
    for (const { body } of Records) await put('seen-' + body, 'seen');
    return { batchItemFailures: [] };
  }
  export const tick = () => put('ticked', new Date().toISOString());
`;

/** Synthesizes the service into `<directory>/cdk.out` and returns that path. */
export function synthesizeSmallService(directory: string): string {
  const bundle = join(directory, 'bundle');
  mkdirSync(bundle, { recursive: true });
  buildSync({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    outfile: join(bundle, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'silent',
  });
  const outdir = join(directory, 'cdk.out');
  const app = new App({
    outdir,
    builtinCloudFormationValidation: false,
    postCliContext: { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true },
  });
  const data = new Stack(app, 'small-data');
  const table = new dynamodb.TableV2(data, 'table', {
    partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING },
    dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
  }) as dynamodb.ITable;
  const stack = new Stack(app, 'small-api');
  const queue = new sqs.Queue(stack, 'jobs', { visibilityTimeout: Duration.seconds(30) });

  function addFunction(name: string, actions: readonly string[]): lambda.Function {
    const resource = new lambda.Function(stack, name, {
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: `index.${name}`,
      code: lambda.Code.fromAsset(bundle),
      timeout: Duration.seconds(5),
      memorySize: 256,
      environment: {
        TABLE_NAME: table.tableName,
        QUEUE_URL: queue.queueUrl,
        BASE_URL: 'https://platform.example',
      },
    });
    if (actions.length > 0) {
      resource.addToRolePolicy(
        new iam.PolicyStatement({ actions: [...actions], resources: [table.tableArn] }),
      );
    }
    return resource;
  }
  const relay = addFunction('relay', []);
  queue.grantSendMessages(relay);
  relay.addEventSource(
    new eventSources.DynamoEventSource(table, {
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      filters: [{ pattern: JSON.stringify({ dynamodb: { Keys: { pk: { S: [{ prefix: 'post-' }] } } } }) }],
    }),
  );
  addFunction('note', ['dynamodb:PutItem']).addEventSource(
    new eventSources.SqsEventSource(queue, { reportBatchItemFailures: true }),
  );
  new events.Rule(stack, 'every-minute', {
    schedule: events.Schedule.rate(Duration.minutes(1)),
    targets: [new eventTargets.LambdaFunction(addFunction('tick', ['dynamodb:PutItem']))],
  });
  const routes = { PUT: 'write', GET: 'read', DELETE: 'erase' } as const;
  const httpApi = new api.HttpApi(stack, 'api', { createDefaultStage: false });
  const format = { routeKey: '$context.routeKey', path: '$context.path' };
  new api.CfnStage(stack, 'stage', {
    apiId: httpApi.apiId,
    stageName: '$default',
    accessLogSettings: {
      destinationArn: new logs.LogGroup(stack, 'access').logGroupArn,
      format: JSON.stringify({ ...format, status: '$context.status', error: '$context.error.message' }),
    },
  });
  for (const [method, name] of Object.entries(routes)) {
    const handler = addFunction(name, name === 'write' ? ['dynamodb:PutItem'] : ['dynamodb:GetItem']);
    httpApi.addRoutes({
      path: '/items/{id}',
      methods: [method as api.HttpMethod],
      integration: new integrations.HttpLambdaIntegration(name, handler),
    });
  }
  app.synth();
  return outdir;
}
