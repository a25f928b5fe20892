import { makeChoice, showChoice } from '../../../lib/connections/choose.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { browserPorts } from '../../browser-ports.ts';
import { pageHandler, readForm } from '../../middleware/page.ts';

/** `GET` and `POST /oauth/{platform}/choose` */
export const handler = pageHandler(async (event) => {
  const platform = event.pathParameters?.['platform'] ?? '';
  if (event.requestContext.http.method === 'GET') {
    const token = new URLSearchParams(event.rawQueryString).get('choice') ?? '';
    return answerTo(await showChoice(browserPorts(), platform, token));
  }
  const form = readForm(event);
  const chosen = form.getAll('account');
  return answerTo(await makeChoice(browserPorts(), platform, form.get('choice') ?? '', chosen));
});
