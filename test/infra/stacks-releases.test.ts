import { readAssembly } from '@herald/local-cloud/assembly/assembly.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { functionsWithAlias } from '../../infra/constructs/live-alias.ts';
import {
  calledFunction,
  constructName,
  referenced,
  synthesizeOnce,
  type Templates,
} from './support/synthesize.ts';

let dev: Templates;
let production: Templates;

beforeAll(() => {
  dev = synthesizeOnce();
  production = synthesizeOnce('production');
});

const names = [...functionsWithAlias];
const aliasOf = (service: Templates, name: string) => {
  const alias = service.ofType('AWS::Lambda::Alias').find((each) => constructName(each) === name);
  if (alias === undefined) throw new Error(`${name} has no alias`);
  return alias;
};
const find = (service: Templates, logicalId: string) =>
  Object.values(service.stacks)
    .flat()
    .find((resource) => resource.logicalId === logicalId);

describe('functions whose failure costs posts or links', () => {
  it('are what creates posts, publishes them, and redirects links', () => {
    expect(names.sort()).toEqual(['posts-create', 'publish-target', 'redirect']);
    expect(dev.ofType('AWS::Lambda::Alias').map(constructName).sort()).toEqual(names);
  });

  it.each(names)('%s has an alias for its newest version', (name) => {
    for (const service of [dev, production]) {
      const { Properties } = aliasOf(service, name);
      expect(Properties.Name).toBe('live');
      const version = find(service, referenced(Properties.FunctionVersion));
      expect(version?.Type).toBe('AWS::Lambda::Version');
      expect(version?.Properties.FunctionName).toEqual(Properties.FunctionName);
      // It may still work a target when the next one has taken over. If its own deployment is rolled back, it goes: Lambda
      // publishes no version that equals the newest one, so the release could not be deployed again.
      expect(version?.DeletionPolicy).toBe('RetainExceptOnCreate');
    }
  });

  it.each(['posts-create', 'redirect'])(
    '%s is called by the API through its alias, which permits it',
    (name) => {
      const alias = { Ref: aliasOf(dev, name).logicalId };
      const uris = dev
        .ofType('AWS::ApiGatewayV2::Integration')
        .map(({ Properties }) => Properties.IntegrationUri);
      expect(uris).toContainEqual(alias);
      const permitted = dev
        .ofType('AWS::Lambda::Permission')
        .map(({ Properties }) => Properties.FunctionName);
      expect(permitted).toContainEqual(alias);
    },
  );

  it('publish-target receives the publish queue’s messages through its alias', () => {
    const [mapping, ...others] = dev
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => calledFunction(dev, Properties.FunctionName) === 'publish-target');
    expect(others).toEqual([]);
    expect(JSON.stringify(mapping?.Properties.FunctionName)).toContain(
      aliasOf(dev, 'publish-target').logicalId,
    );
  });
});

it('every integration of the API may call exactly what it calls', () => {
  for (const service of [dev, production]) {
    const permitted = service
      .ofType('AWS::Lambda::Permission')
      .map(({ Properties }) => JSON.stringify(Properties.FunctionName));
    for (const { Properties } of service.ofType('AWS::ApiGatewayV2::Integration'))
      expect(permitted).toContain(JSON.stringify(Properties.IntegrationUri));
  }
});

describe('a release in production', () => {
  it.each(names)('gives the new version of %s a tenth of the calls for five minutes', (name) => {
    const alias = aliasOf(production, name);
    const { ApplicationName, DeploymentGroupName } = alias.UpdatePolicy.CodeDeployLambdaAliasUpdate;
    const group = find(production, referenced(DeploymentGroupName));
    expect(group?.Properties).toMatchObject({
      ApplicationName,
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
    });
  });

  it.each(names)('takes back a version of %s that crashes or logs errors', (name) => {
    const alias = aliasOf(production, name);
    const version = { 'Fn::GetAtt': [referenced(alias.Properties.FunctionVersion), 'Version'] };
    const group = find(
      production,
      referenced(alias.UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName),
    );
    expect(group?.Properties.AutoRollbackConfiguration).toEqual({
      Enabled: true,
      Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
    });
    const ids: string[] = group?.Properties.AlarmConfiguration.Alarms.map(({ Name }: { Name: unknown }) =>
      referenced(Name),
    );
    const alarms = ids.map((id) => find(production, id)?.Properties);
    expect(alarms.map(({ MetricName }) => MetricName)).toEqual(['Errors', `${name} errors`]);
    // They look at the new version alone: what fails in the old one must not prevent its correction.
    for (const { Dimensions } of alarms)
      expect(Dimensions).toContainEqual(expect.objectContaining({ Value: version }));
    // They do so before it gets its first call.
    expect(alias.DependsOn).toEqual(expect.arrayContaining(ids));
  });

  it('finds the version’s errors in the lines of its log', () => {
    const filters = production
      .ofType('AWS::Logs::MetricFilter')
      .filter(({ Properties }) => Properties.MetricTransformations[0].Dimensions);
    expect(filters).toHaveLength(names.length);
    for (const { Properties } of filters) {
      expect(Properties.FilterPattern).toBe('{ $.level = "ERROR" && $.version = "*" }');
      expect(Properties.MetricTransformations[0].Dimensions).toEqual([
        { Key: 'version', Value: '$.version' },
      ]);
    }
  });

  it('needs one application and one role per stack, which only CodeDeploy may assume', () => {
    expect(production.ofType('AWS::CodeDeploy::Application')).toHaveLength(3);
    const deployers = production
      .ofType('AWS::IAM::Role')
      .filter(({ Properties }) =>
        JSON.stringify(Properties.ManagedPolicyArns ?? '').includes('AWSCodeDeployRoleForLambdaLimited'),
      );
    expect(deployers).toHaveLength(3);
    for (const { Properties } of deployers)
      expect(Properties.AssumeRolePolicyDocument.Statement).toEqual([
        expect.objectContaining({ Principal: { Service: 'codedeploy.amazonaws.com' } }),
      ]);
  });
});

it('a release in dev moves all calls at once, without CodeDeploy and its alarms', () => {
  expect(dev.ofType('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  for (const name of names) expect(aliasOf(dev, name).UpdatePolicy).toBeUndefined();
});

it('the local cloud runs the functions behind the aliases of production', () => {
  const { api, eventSources, functions } = readAssembly({
    directory: production.directory,
    addresses: {
      endpointUrl: 'http://127.0.0.1:1',
      apiUrl: 'http://127.0.0.1:2',
      edgeUrl: () => 'http://127.0.0.1:3',
    },
  });
  const arns = new Set(functions.map(({ arn }) => arn));
  for (const { functionArn } of [...api.routes, ...eventSources]) expect(arns).toContain(functionArn);
});
