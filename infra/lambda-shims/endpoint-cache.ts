/**
 * Stands in for `@aws-sdk/endpoint-cache` in every bundle (see `docs/decisions/0003-cold-start.md`). DynamoDB's client
 * makes one as it starts and uses it only where endpoint discovery is switched on, which nothing here does. The real one
 * brings two CommonJS packages with it.
 */
export class EndpointCache {}
