/**
 * The synthesized assembly as the local cloud sees it: every resource that it runs, with all references resolved to
 * names, ARNs and URLs. `assembly/assembly.ts` creates it from `cdk.out`; no other code reads a template.
 */

export interface CloudModel {
  readonly region: string;
  readonly accountId: string;
  readonly functions: readonly FunctionResource[];
  readonly roles: readonly RoleResource[];
  readonly api: HttpApiResource;
  readonly tables: readonly TableResource[];
  readonly queues: readonly QueueResource[];
  readonly eventSources: readonly EventSourceResource[];
  readonly scheduleGroups: readonly ScheduleGroupResource[];
  readonly rules: readonly RuleResource[];
  readonly buckets: readonly BucketResource[];
  readonly distributions: readonly DistributionResource[];
  readonly uploads: readonly UploadedFile[];
  readonly encryptionKeys: readonly EncryptionKeyResource[];
  readonly parameters: readonly ParameterResource[];
}

export interface FunctionResource {
  /** The construct's name, such as `posts-create`. Logs and the process list show it. */
  readonly name: string;
  readonly arn: string;
  /** The absolute path of the folder with the bundle. */
  readonly assetDirectory: string;
  /** The handler as in Lambda: `<module>.<export>`, such as `index.handler`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly roleArn: string;
  /** The maximum number of concurrent environments; absent if the template reserves none. */
  readonly reservedConcurrency?: number;
  /** True if the template turns Lambda's recursive loop detection off. */
  readonly allowsLoops?: true;
}

export interface RoleResource {
  readonly arn: string;
  readonly trustPolicy: PolicyDocument;
  /** Inline and attached policies. */
  readonly policies: readonly PolicyDocument[];
}

export interface PolicyDocument {
  readonly Version?: string;
  readonly Statement: readonly PolicyStatement[];
}

export interface PolicyStatement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal?: '*' | Readonly<Record<string, string | readonly string[]>>;
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

export interface HttpApiResource {
  /** `routeKey` as in the template: `POST /v1/posts`, `GET /v1/posts/{id}`, `$default`. */
  readonly routes: readonly { readonly routeKey: string; readonly functionArn: string }[];
  readonly cors?: CorsRule;
  /** The format of the stage's access log, with variables such as `$context.status`. Absent: it writes none. */
  readonly accessLogFormat?: string;
}

export interface CorsRule {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly maxAgeSeconds?: number;
}

export interface TableResource {
  readonly name: string;
  readonly arn: string;
  readonly streamArn: string;
  /** The input of CreateTable, without the stream. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly streamViewType?: string;
  readonly timeToLiveAttribute?: string;
}

export interface QueueResource {
  readonly name: string;
  readonly arn: string;
  /** The queue's URL on the local AWS endpoint, because the SDK sends requests to its host. */
  readonly url: string;
  readonly visibilityTimeoutSeconds: number;
  readonly retentionSeconds: number;
  readonly delaySeconds: number;
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number };
  /** The queue's resource policy, which applies in addition to the callers' roles. */
  readonly policy?: PolicyDocument;
}

export interface EventSourceResource {
  readonly functionArn: string;
  /** A queue's ARN or a table's stream ARN. */
  readonly sourceArn: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly reportsBatchItemFailures: boolean;
  readonly maximumConcurrency?: number;
  /** Parsed filter patterns. A record passes if any pattern matches. Empty: every record passes. */
  readonly filters: readonly FilterPattern[];
  /** Streams only. */
  readonly stream?: {
    readonly bisectsOnError: boolean;
    /** -1: until the record expires. */
    readonly maximumRetryAttempts: number;
    readonly maximumRecordAgeSeconds: number;
    readonly parallelizationFactor: number;
    readonly onFailureArn?: string;
  };
}

export type FilterPattern = Readonly<Record<string, unknown>>;

export interface ScheduleGroupResource {
  readonly name: string;
  readonly arn: string;
}

export interface RuleResource {
  readonly name: string;
  readonly arn: string;
  /** Seconds between two firings, from `rate(...)`. */
  readonly everySeconds: number;
  readonly targets: readonly { readonly arn: string; readonly input?: string }[];
}

export interface BucketResource {
  readonly name: string;
  readonly arn: string;
  readonly cors: readonly CorsRule[];
  readonly policy?: PolicyDocument;
  readonly notifications: readonly {
    /** Such as `s3:ObjectCreated:*`. */
    readonly events: readonly string[];
    readonly prefix?: string;
    readonly suffix?: string;
    /** A queue's or a function's ARN. */
    readonly destinationArn: string;
  }[];
}

export interface DistributionResource {
  /** The logical id in its template, such as `MediaDistribution`. */
  readonly name: string;
  readonly id: string;
  readonly arn: string;
  /** The value of `DomainName` in the template: locally the host and port of the distribution's edge. */
  readonly domainName: string;
  /** The page at `/`, such as `index.html`; empty if none. */
  readonly defaultRootObject: string;
  /** The behaviors in the order in which they are tried. The last is the default behavior, with the pattern `*`. */
  readonly behaviors: readonly CacheBehavior[];
  /** The handling of an origin's error, by its status. */
  readonly errorResponses: Readonly<Record<number, ErrorResponse>>;
}

export interface CacheBehavior {
  /** `*` matches any characters, `?` exactly one. */
  readonly pathPattern: string;
  readonly allowedMethods: readonly string[];
  readonly origin: OriginResource;
  readonly compresses: boolean;
  readonly cache: CachePolicyResource;
  /** True if all headers except `Host`, cookies and the query are passed on. Otherwise none of them is. */
  readonly passesRequestOn: boolean;
  /** The headers that the response headers policy adds. One that overrides replaces the origin's. */
  readonly responseHeaders: readonly {
    /** The name in lower case. */
    readonly name: string;
    readonly value: string;
    readonly overrides: boolean;
  }[];
  /** The source of the CloudFront Function that each request passes first. */
  readonly viewerRequestFunction?: string;
}

export type OriginResource =
  | { readonly kind: 'bucket'; readonly bucketArn: string; readonly path: string }
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly path: string;
      /** Headers to send with each request, in place of those that the viewer sends under these lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
    };

/** The time for which a reply is kept. A reply without its own `Cache-Control` is kept for `defaultSeconds`. */
export interface CachePolicyResource {
  readonly minSeconds: number;
  readonly defaultSeconds: number;
  readonly maxSeconds: number;
  /** Compressions that viewers may ask for. */
  readonly encodings: readonly ('br' | 'gzip')[];
}

export interface ErrorResponse {
  /** Default 10. */
  readonly cacheSeconds?: number;
  /** The page that is shown instead of the origin's, and its status. */
  readonly page?: { readonly path: string; readonly status: number };
}

/** A file that a deployment puts into a bucket. */
export interface UploadedFile {
  readonly bucketName: string;
  readonly key: string;
  /** An absolute path. */
  readonly file: string;
  /** Such as `cache-control`, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface EncryptionKeyResource {
  readonly id: string;
  readonly arn: string;
  readonly aliases: readonly string[];
}

export interface ParameterResource {
  /** Such as `/service/stage/name`. */
  readonly name: string;
  readonly arn: string;
  readonly type: 'String' | 'SecureString';
  readonly value: string;
}
