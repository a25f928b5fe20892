import { expect, it } from 'vitest';
import { userPoolOf } from '../../../bin/admin/members.ts';

it.each([
  ['https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbC123', 'eu-central-1_AbC123'],
  ['https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_AbC123', 'cn-north-1_AbC123'],
  ['https://cognito-idp.eu-central-1.amazonaws.com.evil.example/eu-central-1_AbC123', undefined],
  ['https://login.example.com/eu-central-1_AbC123', undefined],
  ['http://127.0.0.1:4321', undefined],
])('the user pool of %s is %s', (issuer, userPoolId) => {
  expect(userPoolOf(issuer)).toBe(userPoolId);
});
