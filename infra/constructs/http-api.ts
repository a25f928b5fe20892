import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../stages.ts';

/** A route is served as written and below this. */
const prefix = '/api';

/** Never the Authorization header, and no address: nothing of who clicks a link is to be kept. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html */
const accessLogFormat = JSON.stringify({
  requestId: '$context.requestId',
  requestedAt: '$context.requestTime',
  routeKey: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
});

/**
 * The HTTP API with its one stage. Made of CloudFormation's own resources: a function costs an integration and a
 * permission however many routes lead to it, where the library would give every route a permission.
 */
export class HttpApi extends Construct {
  readonly apiId: string;
  /** `https://<api>.execute-api.<region>.amazonaws.com` */
  readonly url: string;
  private readonly stage: CfnStage;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const api = new CfnApi(this, 'Resource', { name: `herald-${stage.name}`, protocolType: 'HTTP' });
    const { region, urlSuffix } = Stack.of(this);
    this.apiId = api.ref;
    this.url = `https://${api.ref}.execute-api.${region}.${urlSuffix}`;
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new CfnStage(this, 'DefaultStage', {
      apiId: this.apiId,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: accessLog.logGroupArn, format: accessLogFormat },
      defaultRouteSettings: {
        throttlingRateLimit: stage.gateway.requestsPerSecond,
        throttlingBurstLimit: stage.gateway.burst,
      },
    });
  }

  /**
   * Leads routes to a function, within the function's own stack.
   *
   * @param routes such as `POST /v1/posts`, each served below `/api` too; or `$default`
   * @param throttle for each of its routes, in place of the stage's. For functions in the stack of the HTTP API only:
   *   its stage must wait for these routes
   */
  addFunction(handler: IFunction, routes: readonly string[], throttle?: Stage['gateway']): void {
    const scope = new Construct(Stack.of(handler), `${handler.node.id}-routes`);
    const integration = new CfnIntegration(scope, 'Integration', {
      apiId: this.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.functionArn,
      payloadFormatVersion: '2.0',
    });
    new CfnPermission(scope, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: handler.functionArn,
      principal: 'apigateway.amazonaws.com',
      // Any stage and any route of this API: the part after the stage is `$default` or method and path.
      sourceArn: Stack.of(scope).formatArn({
        service: 'execute-api',
        resource: this.apiId,
        resourceName: '*/*',
      }),
    });
    for (const routeKey of routes.flatMap(withPrefix)) {
      const route = new CfnRoute(scope, routeKey.replaceAll('/', ':'), {
        apiId: this.apiId,
        routeKey,
        target: `integrations/${integration.ref}`,
      });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          'Functions look keys up themselves: a revoked key is refused within 30 s, and a refusal has our error shape.',
      });
      if (throttle) this.throttleRoute(route, throttle);
    }
  }

  private throttleRoute(route: CfnRoute, { requestsPerSecond, burst }: Stage['gateway']): void {
    this.stage.routeSettings = {
      ...this.stage.routeSettings,
      [route.routeKey]: { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
    };
    // The settings of a route that is not there yet are refused.
    this.stage.addResourceDependency(route);
  }

  metric(metricName: string, options: MetricOptions): Metric {
    return new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiId: this.apiId },
      period: Duration.minutes(1),
      ...options,
    });
  }
}

function withPrefix(route: string): string[] {
  const [method, path] = route.split(' ');
  return path === undefined ? [route] : [route, `${method} ${prefix}${path}`];
}
