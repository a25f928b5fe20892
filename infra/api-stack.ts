import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { BundleDirectory } from './bundling.ts';
import { alarmOperators } from './constructs/alarms.ts';
import { HttpApi } from './constructs/http-api.ts';
import { alarmRedirect } from './constructs/redirect-alarms.ts';
import type { DataResources } from './constructs/resources.ts';
import { rightsOnData, rightsToSend } from './constructs/rights.ts';
import { createServiceFunction } from './constructs/service-function.ts';
import type { ApiFunction } from './functions/definition.ts';
import type { Stage } from './stages.ts';

export interface ApiStackProps {
  readonly stage: Stage;
  readonly bundles: BundleDirectory;
  readonly functions: readonly ApiFunction[];
  readonly data: DataResources;
  readonly operatorTopic: ITopic;
}

/**
 * The HTTP API, and the functions that belong to no group. Those of each group stand in a stack of their own, which leads
 * routes of this API to them: CloudFormation takes 500 resources a stack, and a function with its routes is about seven.
 */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly groups: readonly Stack[];

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id);
    const { stage, functions, operatorTopic } = props;
    this.api = new HttpApi(this, 'Api', stage);
    // Always exported: CloudFormation refuses to take back what a stack that is deployed later still imports.
    this.exportValue(this.api.apiId);
    const byGroup = Map.groupBy(functions, ({ group }) => group);
    for (const definition of byGroup.get(undefined) ?? []) {
      const handler = this.serve(this, definition, props);
      if (definition.name === 'redirect') alarmRedirect(this, handler, operatorTopic);
    }
    this.groups = [...byGroup].flatMap(([group, definitions]) => {
      if (group === undefined) return [];
      const stack = new Stack(scope, `${id}-${group}`);
      for (const definition of definitions) this.serve(stack, definition, props);
      return stack;
    });
    alarmOperators(this, 'ApiErrors', operatorTopic, {
      metric: this.api.metric('5xx', { statistic: 'Sum' }),
      above: 5,
      periods: 3,
      heading: 'Clients get 5xx',
      description: 'find the routeKey in the access log, then the function of that route.',
    });
    new CfnOutput(this, 'ApiUrl', { value: this.api.url });
  }

  private serve(
    stack: Stack,
    definition: ApiFunction,
    { stage, bundles, data }: ApiStackProps,
  ): LambdaFunction {
    const { rights, routes, isCrowded } = definition;
    const handler = createServiceFunction(stack, definition, {
      stage,
      bundles,
      rights: [...rightsOnData(rights, data), ...rightsToSend(rights.sends, data.queues)],
      settings: {
        MEDIA_BASE_URL: data.mediaBaseUrl,
        PUBLIC_BASE_URL: stage.publicBaseUrl ?? this.api.url,
        RATE_LIMIT_PER_MINUTE: String(stage.rateLimitPerMinute),
        // Hosts that webhooks may reach without TLS: none.
        WEBHOOK_PLAIN_HTTP_HOSTS: '',
      },
    });
    this.api.addFunction(handler, routes, isCrowded ? stage.crowd : undefined);
    return handler;
  }
}
