import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { directory } from '../../../functions/wire/directory.ts';
import { openUserDirectory } from '../../../lib/aws/user-directory.ts';

/** The user pool's response, in Cognito's protocol (JSON 1.1). */
let answer: { readonly status: number; readonly body: object };
let requests: { readonly target: string | undefined; readonly body: unknown }[];
let server: Server;
let endpoint: string;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const target = request.headers['x-amz-target'];
    requests.push({ target: String(target), body: JSON.parse(await text(request)) });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const pool = () =>
  openUserDirectory('eu-central-1_Pool', {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });

it('creates a user with a verified address and without a password, and sends no message', async () => {
  answer = { status: 200, body: { User: { Username: 'u' } } };
  await pool().admit('ada@example.com');
  expect(requests).toEqual([
    {
      target: 'AWSCognitoIdentityProviderService.AdminCreateUser',
      body: {
        UserPoolId: 'eu-central-1_Pool',
        Username: 'ada@example.com',
        UserAttributes: [
          { Name: 'email', Value: 'ada@example.com' },
          { Name: 'email_verified', Value: 'true' },
        ],
        MessageAction: 'SUPPRESS',
      },
    },
  ]);
});

it('takes a user that exists for done', async () => {
  answer = {
    status: 400,
    body: { __type: 'UsernameExistsException', message: 'User account already exists' },
  };
  await pool().admit('ada@example.com');
});

it('fails for any other answer', async () => {
  answer = { status: 400, body: { __type: 'NotAuthorizedException', message: 'no' } };
  await expect(pool().admit('ada@example.com')).rejects.toMatchObject({ name: 'NotAuthorizedException' });
});

it('is not asked if the stage has no user pool', async () => {
  await directory(() => '').admit('ada@example.com');
  expect(requests).toEqual([]);
});
