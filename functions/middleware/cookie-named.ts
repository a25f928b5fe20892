import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export type Cookies = Pick<APIGatewayProxyEventV2, 'cookies'>;

/**
 * Returns the value of the only cookie with this name. A browser has at most one with `__Host-`. If there are two, something else
 * has set one: for example, another host of the site has set a cookie that API Gateway splits in two, because it also splits at
 * commas.
 *
 * Only the white space that HTTP allows around the name is removed before comparing. To a browser, a name that begins with any
 * other white space does not begin with `__Host-`, so other hosts may set it.
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
