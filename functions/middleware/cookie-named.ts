import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export type Cookies = Pick<APIGatewayProxyEventV2, 'cookies'>;

/**
 * The value of the one cookie of this name. A browser has at most one with `__Host-`. If there are two, something else has set one,
 * such as another host of the site with a cookie whose value API Gateway takes for two, because it divides them at commas too.
 *
 * The name is compared with nothing removed but what HTTP allows around it: for a browser, a name that begins with any other white
 * space does not begin with `__Host-`, so other hosts may set it.
 *
 * @returns `undefined` if there is none, or different ones
 */
export function cookieNamed(name: string, { cookies = [] }: Cookies): string | undefined {
  const values = cookies.flatMap((cookie) => {
    const pair = cookie.replace(/^[ \t]+|[ \t]+$/g, '');
    return pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : [];
  });
  return new Set(values).size === 1 ? values[0] : undefined;
}
