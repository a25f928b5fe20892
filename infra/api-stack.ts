import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { BundleDirectory } from './bundling.ts';
import type { OperatorAlarms } from './constructs/alarms.ts';
import { alarmApi, alarmRedirect } from './constructs/api-alarms.ts';
import { HttpApi } from './constructs/http-api.ts';
import { callableOf } from './constructs/live-alias.ts';
import type { DataResources } from './constructs/resources.ts';
import { rightsOnData, rightsToAdmit, rightsToSend } from './constructs/rights.ts';
import { saveQuery } from './constructs/saved-query.ts';
import { createServiceFunction } from './constructs/service-function.ts';
import type { ApiFunction } from './functions/definition.ts';
import { apiQuery, linkQueries } from './saved-queries.ts';
import { environmentOf, type Stage } from './stages.ts';

export interface ApiStackProps {
  readonly stage: Stage;
  readonly bundles: BundleDirectory;
  readonly functions: readonly ApiFunction[];
  readonly data: DataResources;
  readonly alarms: OperatorAlarms;
}

/**
 * The HTTP API and the functions that have no group. Each group of functions has its own stack, which adds their routes to this
 * API: CloudFormation allows 500 resources per stack, and a function with its routes needs about seven.
 */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly groups: readonly Stack[];

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, { env: environmentOf(props.stage) });
    const { stage, functions, alarms } = props;
    this.api = new HttpApi(this, 'Api', stage);
    // Exported even if no stack imports it now: CloudFormation refuses to remove an export that another stack still
    // imports, and stacks that import it are deployed after this one.
    this.exportValue(this.api.apiId);
    const byGroup = Map.groupBy(functions, ({ group }) => group);
    const ungrouped = this.serveAll(this, undefined, byGroup.get(undefined) ?? [], props);
    const redirect = ungrouped.get('redirect');
    if (redirect) {
      for (const query of linkQueries) saveQuery(this, query, ungrouped);
      alarmRedirect(this, redirect, alarms);
    }
    this.groups = [...byGroup].flatMap(([group, definitions]) => {
      if (group === undefined) return [];
      const stack = new Stack(scope, `${id}-${group}`, { env: environmentOf(props.stage) });
      this.serveAll(stack, group, definitions, props);
      return stack;
    });
    alarmApi(this, this.api, alarms);
    new CfnOutput(this, 'ApiUrl', { value: this.api.publicUrl });
    new CfnOutput(this, 'OAuthRedirectUrl', {
      value: `${this.api.publicUrl}/oauth/<platform>/callback`,
      description: 'Register it at each platform, with the platform’s name in lower case',
    });
  }

  /**
   * Creates the functions.
   *
   * @returns the functions by name
   */
  private serveAll(
    stack: Stack,
    group: string | undefined,
    definitions: readonly ApiFunction[],
    props: ApiStackProps,
  ): ReadonlyMap<string, LambdaFunction> {
    const handlers = new Map(definitions.map((each) => [each.name, this.serve(stack, each, props)]));
    if (handlers.size > 0) saveQuery(stack, apiQuery(group, [...handlers.keys()]), handlers);
    return handlers;
  }

  private serve(
    stack: Stack,
    definition: ApiFunction,
    { stage, bundles, data }: ApiStackProps,
  ): LambdaFunction {
    const { rights, routes, hasLinkThrottle } = definition;
    const handler = createServiceFunction(stack, definition, {
      stage,
      bundles,
      rights: [
        ...rightsOnData(rights, data),
        ...rightsToSend(rights.sends, data.queues),
        ...rightsToAdmit(rights, data),
      ],
      settings: {
        MEDIA_BASE_URL: data.mediaBaseUrl,
        PLATFORM_FEATURES: JSON.stringify(stage.features ?? {}),
        PUBLIC_BASE_URL: this.api.publicUrl,
        LINK_BASE_URL: this.api.linkUrl,
        RATE_LIMIT_PER_MINUTE: String(stage.rateLimitPerMinute),
        // Empty: no limit.
        KEY_RATE_LIMIT_PER_MINUTE: String(stage.keyRateLimitPerMinute ?? ''),
        WORKSPACE_RATE_LIMIT_PER_MINUTE: String(stage.workspaceRateLimitPerMinute ?? ''),
        DAILY_LIMITS: JSON.stringify(stage.dailyLimits),
        // Webhook receivers need TLS without exception, and the panel has TLS.
        PLAIN_HTTP_HOSTS: '',
        PANEL_ORIGIN_SECRET_DIGEST: data.panelOriginSecretDigest,
        // Empty if people sign in at the team's own identity provider.
        USER_POOL_ID: data.userPool?.id ?? '',
      },
    });
    this.api.addFunction(
      callableOf(handler, definition.name, stage),
      routes,
      hasLinkThrottle ? stage.linkThrottle : undefined,
    );
    return handler;
  }
}
