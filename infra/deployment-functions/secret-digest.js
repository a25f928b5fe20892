// The inline code of a function that runs only during deployments, with the SDK of Lambda's runtime. It answers CloudFormation with the
// digest of a secret: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
const { createHash } = require('node:crypto');
const { GetSecretValueCommand, SecretsManagerClient } = require('@aws-sdk/client-secrets-manager');

const digestOf = async (SecretId) => {
  const answer = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId }));
  return createHash('sha256').update(answer.SecretString, 'utf8').digest('hex');
};

exports.handler = async (event) => {
  const { ResponseURL, StackId, RequestId, LogicalResourceId, RequestType, ResourceProperties } = event;
  const { SecretArn } = ResourceProperties;
  const respond = (answer) => {
    const body = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: SecretArn, ...answer };
    return fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(body) });
  };
  try {
    const Data = RequestType === 'Delete' ? {} : { Digest: await digestOf(SecretArn) };
    await respond({ Status: 'SUCCESS', Data });
  } catch (error) {
    await respond({ Status: 'FAILED', Reason: `the digest of the secret is not known: ${error.name}` });
  }
};
