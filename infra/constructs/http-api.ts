import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnApi,
  CfnApiMapping,
  CfnIntegration,
  CfnRoute,
  CfnStage,
  DomainName,
  IpAddressType,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainSettings, Stage } from '../stages.ts';
import { Domain } from './domain.ts';
import { keepIfStageKeepsData, pinLogicalId } from './pin-logical-id.ts';

/** Every route is also served under this prefix. */
const prefix = '/api';

/**
 * It contains no header, which could hold an API key, no client address, because people who click links are not recorded, and no
 * path, which can contain a secret: while an attempt to connect is under way, whoever knows its state could finish it. The
 * functions' logs have the ids, by request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const accessLogFormat = JSON.stringify({
  requestId: '$context.requestId',
  requestedAt: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
});

/**
 * The HTTP API with its one stage. It uses level 1 constructs to stay within the limit on resources per stack: a function
 * needs one integration and one permission for all its routes, and the level 2 construct adds a permission per route.
 */
export class HttpApi extends Construct {
  readonly apiId: string;
  /** `<api>.execute-api.<region>.amazonaws.com`, which serves the API regardless of other domains */
  readonly domain: string;
  /** `https://` and the domain of the stage, or else {@link domain}. */
  readonly publicUrl: string;
  /** The base URL of tracked links. */
  readonly linkUrl: string;
  private readonly stage: CfnStage;

  private readonly lastRoutes = new Map<Stack, CfnRoute>();

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const api = new CfnApi(this, 'Resource', {
      name: `herald-${stage.name}`,
      protocolType: 'HTTP',
      // Reachable for clients with only IPv6 too.
      ipAddressType: 'dualstack',
    });
    // The API's host is in every published tracked link.
    pinLogicalId(api, 'ApiF70053CD');
    keepIfStageKeepsData(api, stage);
    const { region, urlSuffix } = Stack.of(this);
    this.apiId = api.ref;
    this.domain = `${api.ref}.execute-api.${region}.${urlSuffix}`;
    this.publicUrl = `https://${stage.apiDomain?.name ?? this.domain}`;
    this.linkUrl = stage.linkDomain ? `https://${stage.linkDomain.name}` : this.publicUrl;
    const accessLog = new LogGroup(this, 'AccessLog', {
      // AWS adds each log that is not under this prefix to one resource policy of the account, which has room for only a few.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
      logGroupName: `/aws/vendedlogs/herald-${stage.name}-http-api`,
      retention: stage.logRetentionDays,
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
    if (stage.apiDomain) this.serveAt('Domain', stage.apiDomain);
    if (stage.linkDomain) this.serveAt('LinkDomain', stage.linkDomain);
  }

  /**
   * Serves the API at a domain too. Its own address must continue to work: earlier links contain it, and a platform may send
   * people and notifications to it.
   */
  private serveAt(id: string, settings: DomainSettings): void {
    const domain = new Domain(this, id, settings);
    const { regionalDomainName, regionalHostedZoneId } = new DomainName(domain, 'Name', {
      domainName: domain.name,
      certificate: domain.certificate,
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    const mapping = new CfnApiMapping(domain, 'Mapping', {
      apiId: this.apiId,
      domainName: domain.name,
      stage: this.stage.stageName,
    });
    mapping.node.addDependency(domain.node.findChild('Name'), this.stage);
    domain.leadTo(
      new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId),
      regionalDomainName,
    );
  }

  /**
   * Adds routes to a function. Their resources belong to the function's stack.
   *
   * @param routes such as `POST /v1/posts`, each served under `/api` too; or `$default`
   * @param throttle replaces the stage's throttle for each of these routes. Only for functions in the stack of the HTTP
   *   API, because the API's stage must be deployed after these routes
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
      // Any stage and any route of this API.
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
          'Functions check API keys themselves: a revoked key is refused within 30 s, and a refusal has our error shape.',
      });
      if (throttle) this.throttleRoute(route, throttle);
      this.createAfterLast(route);
    }
  }

  /**
   * Lets CloudFormation create the routes of a stack one after another. API Gateway makes one change of an API at a time, and may
   * refuse others with 409 (https://github.com/hashicorp/terraform-provider-aws/issues/18018). It costs some minutes of the first
   * deployment.
   */
  private createAfterLast(route: CfnRoute): void {
    const stack = Stack.of(route);
    const last = this.lastRoutes.get(stack);
    if (last) route.addResourceDependency(last);
    this.lastRoutes.set(stack, route);
  }

  private throttleRoute(route: CfnRoute, { requestsPerSecond, burst }: Stage['gateway']): void {
    this.stage.routeSettings = {
      ...this.stage.routeSettings,
      [route.routeKey]: { ThrottlingRateLimit: requestsPerSecond, ThrottlingBurstLimit: burst },
    };
    // API Gateway refuses settings of a route that does not exist yet.
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
