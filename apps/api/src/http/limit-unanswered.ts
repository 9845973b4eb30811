import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many answers a connection may be owed. Browsers and proxies wait for each before they ask again; whoever doesn't, and
 * reads nothing, would have us keep as many answers and open files as fit into their requests.
 */
export const MOST_UNANSWERED = 16;

/**
 * Ends connections that ask on and on without reading, and those that stop reading: the server's `timeout` says that
 * nothing moved on a connection for that long, in either direction.
 */
export function limitUnanswered(server: Server): void {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  const begin = (socket: Socket) => {
    const answers = new Set<ServerResponse>();
    unanswered.set(socket, answers);
    socket.once('close', () => {
      for (const answer of answers) if (answer.socket === null) tellGone(answer);
    });
    return answers;
  };
  // Before Fastify's own listener, and so before every route, also for addresses that reach none.
  server.prependListener('request', ({ socket }, answer) => {
    const answers = unanswered.get(socket) ?? begin(socket);
    answers.add(answer);
    answer.once('close', () => answers.delete(answer));
    // With a listener, Node doesn't end the connection itself. If we owe something, the silence is ours.
    answer.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    if (answers.size > MOST_UNANSWERED) socket.destroy();
  });
}

/**
 * Tells an answer whose turn never came that its connection is gone, so that whatever feeds it ends. Node does exactly
 * this, but only for the one whose turn it is.
 */
function tellGone(answer: ServerResponse): void {
  Object.assign(answer, { destroyed: true, _closed: true });
  answer.emit('close');
}
