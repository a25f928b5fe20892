import { confirmChoice, declineChoice, showChoice } from '../../../lib/connections/choose.ts';
import { pageHandler } from '../../middleware/page.ts';
import { vault } from '../../wire/aws.ts';

/** `GET` and `POST /oauth/{platform}/choose` */
export const build = pageHandler({ vault }, (ports, { visit, method, fields }) => {
  if (method !== 'POST') return showChoice(ports, visit);
  if (fields.get('answer') === 'cancel') return declineChoice(ports, visit);
  return confirmChoice(ports, visit, fields.getAll('account'));
});
