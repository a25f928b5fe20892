/**
 * Replaces the choice of a JSON Schema validator in `@modelcontextprotocol/server`, which would bundle Ajv: 120 kB. The server validates
 * with it only what clients of the handshake era answer to its questions, and it asks them none.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('infra/lambda-shims/no-schema-validator.ts leaves the validator out of the bundles');
  }
}

export { default as process } from 'node:process';
