/** Sends requests to the database engine over keep-alive connections. */

import { Agent, type IncomingMessage, request } from 'node:http';
import { AwsError } from '../errors.ts';

export interface EngineClient {
  /** @throws AwsError with the engine's own code if it refuses the request. */
  call(target: string, input: unknown): Promise<Record<string, unknown>>;
  /**
   * Forwards a body unchanged. The caller must read the body of the response.
   *
   * @param principalArn the sender, for measurements; it is not passed to the engine
   */
  forward(target: string, contentType: string, body: Buffer, principalArn?: string): Promise<IncomingMessage>;
  close(): void;
}

/** The engines require a signature but do not verify it. */
const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local',
  'x-amz-date': '20260101T000000Z',
};

export function createEngineClient(port: number): EngineClient {
  const agent = new Agent({ keepAlive: true });

  function forward(target: string, contentType: string, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method: 'POST',
          headers: {
            ...signature,
            'content-type': contentType,
            'content-length': body.length,
            'x-amz-target': target,
          },
        },
        resolve,
      )
        .on('error', reject)
        .end(body);
    });
  }

  return {
    forward,
    async call(target, input) {
      const answer = await forward(target, 'application/x-amz-json-1.0', Buffer.from(JSON.stringify(input)));
      const output: Record<string, unknown> = JSON.parse((await bodyOf(answer)).toString('utf8'));
      if (answer.statusCode === 200) return output;
      const code = String(output['__type']).split('#').at(-1) ?? '';
      throw new AwsError(code, String(output['message'] ?? output['Message'] ?? ''), answer.statusCode);
    },
    close: () => agent.destroy(),
  };
}

/** Collects the body of an answer. @throws Error if the connection breaks first */
export function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('end', () => resolve(Buffer.concat(parts)));
    answer.on('error', reject);
  });
}
