/** The words of signing in again, and of the window in which that happens. */
export const session = {
  endedTitle: 'Your session has ended',
  endedText:
    'Sign in again to go on where you were. The sign-in opens in a window of its own, and nothing on this page is lost.',
  againTitle: 'Confirm that it is you',
  againText:
    'Keys, secrets, members, disconnecting and sending events elsewhere need a sign-in within the last 10 minutes. It opens in a window of its own; then your change goes on.',
  signIn: 'Sign in',
  waiting: 'Waiting for the sign-in in the other window…',
  blocked: 'Your browser has blocked the window. Open the sign-in in a new tab',
  notNow: 'Not now',
  signedInTitle: 'You are signed in',
  signedInText: 'You can close this window and go on in the other one.',
  signedInContinue: 'Open the panel here',
};
