import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { BundleDirectory } from './bundling.ts';
import { alarmOperators } from './constructs/alarms.ts';
import { dataVariables, settingVariables } from './constructs/environment.ts';
import { HttpApi } from './constructs/http-api.ts';
import { alarmRedirect } from './constructs/redirect-alarms.ts';
import type { DataResources } from './constructs/resources.ts';
import { rightsOnData } from './constructs/rights.ts';
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

/** The HTTP API and a function for each of its operations: seven resources an operation, eight where it has two routes. */
export class ApiStack extends Stack {
  readonly api: HttpApi;

  constructor(
    scope: Construct,
    id: string,
    { stage, bundles, functions, data, operatorTopic }: ApiStackProps,
  ) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', stage);
    const settings = {
      MEDIA_BASE_URL: data.mediaBaseUrl,
      PUBLIC_BASE_URL: stage.publicBaseUrl ?? this.api.url,
      RATE_LIMIT_PER_MINUTE: String(stage.rateLimitPerMinute),
      // Hosts that webhooks may reach without TLS: none.
      WEBHOOK_PLAIN_HTTP_HOSTS: '',
    };
    for (const definition of functions) {
      const handler = createServiceFunction(this, definition, {
        stage,
        bundles,
        environment: { ...dataVariables(definition.rights, data), ...settingVariables(definition, settings) },
        rights: rightsOnData(definition.rights, data),
      });
      const throttle = definition.isCrowded ? stage.crowd : undefined;
      this.api.addFunction(definition.name, handler, definition.routes, throttle);
      if (definition.name === 'redirect') alarmRedirect(this, handler, operatorTopic);
    }
    alarmOperators(this, 'ApiErrors', operatorTopic, {
      metric: this.api.metric('5xx', { statistic: 'Sum' }),
      above: 5,
      periods: 3,
      heading: 'Clients get 5xx',
      description: 'find the routeKey in the access log, then the function of that route.',
    });
    new CfnOutput(this, 'ApiUrl', { value: this.api.url });
  }
}
