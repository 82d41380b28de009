import Fastify from 'fastify';
const v=new Set(process.argv[2].split(','));
const app=Fastify({...(v.has('ct')?{connectionTimeout:61000}:{}),...(v.has('http')?{requestTimeout:30000,http:{headersTimeout:10000,connectionsCheckingInterval:2500,maxHeaderSize:16384}}:{}),...(v.has('log')?{logger:{level:'warn'}}:{})});
const body=Buffer.from('x'.repeat(14042));
if(v.has('hook'))app.addHook('onSend',(q,r,p,d)=>d());
const lines=['etag','"x"','cache-control','no-cache','content-type','application/json; charset=utf-8','content-length','14042'];
app.get('/0',v.has('hijack')?{onRequest:(q,reply,done)=>{reply.hijack();reply.raw.writeHead(200,lines);reply.raw.end(body);}, handler(){}}:(_,reply)=>{reply.header('content-type','application/json; charset=utf-8');return reply.send(body);});
app.get('/metrics',()=>{const{user,system}=process.cpuUsage();return `process_cpu_seconds_total ${(user+system)/1e6}\n`;});
await app.listen({port:0,host:'127.0.0.1'});process.send(app.server.address().port);process.on('disconnect',()=>process.exit(0));
