// A provider of OpenID Connect: `node oidc.mjs PORT REDIRECT_URI`. Who types NAME|EMAIL|true as their login is that.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [port, back] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: "accord", client_secret: "s".repeat(32), redirect_uris: [back] }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"] },
  pkce: { required: () => true },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => {
      const [name, email, verified] = id.split("|");
      const said = { true: true, false: false }[verified] ?? verified;
      return { sub: id, preferred_username: name, email, email_verified: said };
    },
  }),
});
createServer(provider.callback()).listen(Number(port), "localhost", () => console.log("ready"));
