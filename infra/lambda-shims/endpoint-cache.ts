/**
 * Replaces `@aws-sdk/endpoint-cache` in every bundle (see `docs/decisions/0003-cold-start.md`). The DynamoDB client
 * creates a cache when it starts and uses it only if endpoint discovery is on, which it never is here. The real package
 * depends on two CommonJS packages.
 */
export class EndpointCache {}
