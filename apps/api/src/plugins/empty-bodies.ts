import fastifyPlugin from 'fastify-plugin';

/** Some clients call every body JSON, also the one that they do not send. Calls without a body take that as none. */
export const emptyBodies = fastifyPlugin(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body, done);
  });
});
