import { makeChoice, showChoice } from '../../../lib/connections/choose.ts';
import { pageHandler, readForm } from '../../middleware/page.ts';

/** `GET` and `POST /oauth/{platform}/choose` */
export const build = pageHandler((ports, event) => {
  const platform = event.pathParameters?.['platform'] ?? '';
  if (event.requestContext.http.method === 'GET') {
    const token = new URLSearchParams(event.rawQueryString).get('choice') ?? '';
    return showChoice(ports, platform, token);
  }
  const form = readForm(event);
  return makeChoice(ports, platform, form.get('choice') ?? '', form.getAll('account'));
});
