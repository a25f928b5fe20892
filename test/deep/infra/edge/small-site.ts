/** The panel's constructs around a function that answers what it was asked, to test the local cloud's edges with. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  App,
  aws_apigatewayv2 as api,
  aws_dynamodb as dynamodb,
  aws_apigatewayv2_integrations as integrations,
  aws_lambda as lambda,
  Stack,
} from 'aws-cdk-lib';
import { createOriginSecrets, valueOfSecret } from '../../../../infra/constructs/origin-secret.ts';
import { PanelSite } from '../../../../infra/constructs/panel-site.ts';
import { uploadSite } from '../../../../infra/constructs/site-upload.ts';
import { findStage } from '../../../../infra/stages.ts';

/** `?status=404` and `?control=max-age=60` choose the status and `Cache-Control` of the answer. */
const source = `
  let asked = 0;
  exports.echo = async ({ requestContext, headers, rawPath, rawQueryString, queryStringParameters: query = {}, cookies, body }) => ({
    statusCode: Number(query.status ?? 200),
    headers: { 'content-type': 'application/json', ...(query.control && { 'cache-control': query.control }) },
    cookies: ['__Host-session=1; Secure; HttpOnly; Path=/; SameSite=Strict', 'other=2'],
    body: JSON.stringify({
      asked: ++asked, method: requestContext.http.method, rawPath, rawQueryString, headers, cookies, body,
      knowsSecret: require('node:crypto').createHash('sha256').update(headers['x-origin-secret'] ?? '').digest('hex') === process.env.ORIGIN_SECRET_DIGEST, padding: 'x'.repeat(2_000),
    }),
  });
`;

export const pages: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><title>Panel</title>\n${'<!-- - -->\n'.repeat(200)}`,
  'assets/main-ABCDEFGH.js': `export const text = '${'long '.repeat(400)}';\n`,
  'assets/tiny-ABCDEFGH.css': 'a{}',
  'assets/icon-ABCDEFGH.png': '\u0000'.repeat(3_000),
};

export function writeSite(directory: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(directory, 'assets'), { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(directory, file), content);
  return directory;
}

/** Synthesizes the service into `<directory>/cdk.out` and returns that path. */
export function synthesizeSmallSite(directory: string): string {
  const bundle = join(directory, 'bundle');
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'index.js'), source);
  const outdir = join(directory, 'cdk.out');
  const app = new App({
    outdir,
    builtinCloudFormationValidation: false,
    postCliContext: { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true },
  });
  const stack = new Stack(app, 'small-site');
  // The local cloud expects a table.
  new dynamodb.TableV2(stack, 'table', { partitionKey: { name: 'pk', type: dynamodb.AttributeType.STRING } });
  const [origin] = createOriginSecrets(stack, findStage('dev'));
  if (!origin) throw new Error('there is no secret');
  const secret = valueOfSecret(origin.secretArn);
  const echo = new lambda.Function(stack, 'echo', {
    runtime: lambda.Runtime.NODEJS_24_X,
    handler: 'index.echo',
    code: lambda.Code.fromAsset(bundle),
    environment: { ORIGIN_SECRET_DIGEST: origin.digest },
  });
  const httpApi = new api.HttpApi(stack, 'api', {
    defaultIntegration: new integrations.HttpLambdaIntegration('echo', echo),
  });
  const { bucket } = new PanelSite(stack, 'Site', {
    apiDomain: `${httpApi.apiId}.execute-api.${stack.region}.${stack.urlSuffix}`,
    originSecret: secret,
    hosts: { uploads: 'https://uploads.example', media: 'https://media.example' },
    stage: findStage('dev'),
  });
  uploadSite(stack, bucket, writeSite(join(directory, 'site'), pages), findStage('dev'));
  app.synth();
  return outdir;
}
