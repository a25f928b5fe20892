import { useMe } from './workspace.tsx';

interface CurlRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Writes a request as a command for a POSIX shell. The key stays a variable: commands end up in histories and documents. */
export function curlCommand(apiUrl: string, { method = 'GET', path, body }: CurlRequest): string {
  const hasImpliedMethod = method === 'GET' || body !== undefined;
  const parts = [
    `curl ${hasImpliedMethod ? '' : `-X ${method} `}${quote(apiUrl.replace(/\/$/, '') + path)}`,
    '-H "Authorization: Bearer $HERALD_API_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, undefined, 2))}`]),
  ];
  return parts.join(' \\\n  ');
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes requests for the API's own address. */
export function useCurl(): (request: CurlRequest) => string {
  const { apiUrl } = useMe();
  return (request) => curlCommand(apiUrl, request);
}
