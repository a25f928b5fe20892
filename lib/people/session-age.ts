import { checkGraceMs, type Session } from './schemas.ts';

type Checked = Pick<Session, 'checkDueAt'>;

/** True if the issuer has to be asked about the session. @param now epoch milliseconds */
export const isCheckDue = ({ checkDueAt }: Checked, now: number): boolean =>
  checkDueAt !== undefined && Date.parse(checkDueAt) <= now;

/** True if requests of the session must not pass before the issuer has been asked. @param now epoch milliseconds */
export const isCheckOverdue = (session: Checked, now: number): boolean =>
  isCheckDue(session, now - checkGraceMs);
